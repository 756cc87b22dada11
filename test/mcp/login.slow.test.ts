import { spawn } from "node:child_process"
import { once } from "node:events"

import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { afterEach, expect, test } from "vitest"
import { defaultMcpBounds } from "../../src/world/mcp/bounds.ts"
import { logIn } from "../../src/world/mcp/login/log-in.ts"
import { readLogin, writeLogin } from "../../src/world/mcp/login/login-file.ts"
import type { HttpServer } from "./http-server-kit.ts"
import { browse, loginPlace, startIssuer, startProtected } from "./oauth-kit.ts"

const opened: HttpServer[] = []
afterEach(() => Promise.all(opened.splice(0).map((server) => server.close())))

test("processes that need an expired token at the same time renew it once, and all get their answer", async () => {
  const issuer = await startIssuer({ seconds: 30 })
  const server = await startProtected(issuer)
  opened.push(issuer, server)
  const logins = loginPlace()
  const entry = { url: server.url }
  await logIn("docs", entry, {
    logins,
    bounds: defaultMcpBounds,
    show: (address) => void browse(address),
    signal: new AbortController().signal,
  })
  const before = readLogin(logins, "docs")!
  await writeLogin(logins, "docs", { ...before, expires: Date.now() - 1 })
  issuer.tokenRequests.length = 0
  const program = fileURLToPath(new URL("login-worker.ts", import.meta.url))
  const given = JSON.stringify({ folder: logins.folder, url: server.url })
  const workers = Array.from({ length: 3 }, () =>
    spawn(process.execPath, ["--import", "tsx", program, given], { stdio: ["pipe", "pipe", "inherit"] }),
  )
  await Promise.all(workers.map((worker) => once(worker.stdout, "data")))
  const answers = workers.map((worker) => text(worker.stdout))
  for (const worker of workers) worker.stdin.end("go\n")
  expect(await Promise.all(answers)).toEqual(
    workers.map(() => JSON.stringify({ content: [{ type: "text", text: "done" }] })),
  )
  expect(issuer.tokenRequests.map((request) => request.get("grant_type"))).toEqual(["refresh_token"])
  const after = readLogin(logins, "docs")!
  expect([after.accessToken, after.refreshToken]).not.toEqual([before.accessToken, before.refreshToken])
})
