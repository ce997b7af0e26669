// Adds the token to each request, since the conformance suite sends none; everything else is passed on as it is.
import http from "node:http";

const [service, token] = process.argv.slice(2);
const { hostname, port } = new URL(service);

const proxy = http.createServer((request, response) => {
  const headers = { ...request.headers, authorization: `Bearer ${token}` };
  const { method, url: path } = request;
  const passed = http.request({ hostname, port, method, path, headers, setHost: false }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  passed.on("error", () => response.destroy());
  request.pipe(passed);
});
proxy.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${proxy.address().port}/mcp`));
