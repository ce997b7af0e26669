/* Another program of the user that holds a file open, as editors and virus scanners do: hold MODE PATH
 * MODE is `all` where nobody else may open the file, `read` where others may read it. Says so, and ends with its input. */
#include <stdio.h>
#include <wchar.h>
#include <windows.h>

int wmain(int count, wchar_t **arguments) {
  DWORD shared = count == 3 && wcscmp(arguments[1], L"read") == 0 ? FILE_SHARE_READ : 0;
  HANDLE file;
  char line[8];
  if (count != 3) return 2;
  file = CreateFileW(arguments[2], GENERIC_READ, shared, NULL, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, NULL);
  if (file == INVALID_HANDLE_VALUE) {
    printf("error %lu\n", GetLastError());
    return 1;
  }
  printf("held\n");
  fflush(stdout);
  if (fgets(line, sizeof line, stdin) == NULL) line[0] = 0;
  CloseHandle(file);
  return 0;
}
