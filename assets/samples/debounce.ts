/** Calls `action` once things have been quiet for `delay` milliseconds. */
export function debounce<A extends unknown[]>(action: (...args: A) => void, delay: number) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (...args: A): void => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...args), delay);
  };
}
