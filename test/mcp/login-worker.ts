/** Waits for a line on its input, then calls a tool of a server with the login of the folder. */
import { once } from "node:events"
import { defaultMcpBounds } from "../../src/world/mcp/bounds.ts"
import { openServer } from "../../src/world/mcp/open-server.ts"

const { folder, url } = JSON.parse(process.argv[2]!) as { readonly folder: string; readonly url: string }
process.stdout.write("ready\n")
await once(process.stdin, "data")
const logins = { folder, keepSecret() {} }
const place = { root: "/", cwd: "/", sandbox: "off", logins } as const
const connection = await openServer("docs", { url }, place, defaultMcpBounds)
const answer = await connection.call("do", {}, { signal: new AbortController().signal })
await connection.close()
process.stdout.write(JSON.stringify(answer))
process.exit()
