import fs from "node:fs"
import { afterEach, describe, expect, test } from "vitest"
import { defaultMcpBounds } from "../../src/world/mcp/bounds.ts"
import { logIn } from "../../src/world/mcp/login/log-in.ts"
import { logOut } from "../../src/world/mcp/login/log-out.ts"
import {
  locateLoginFile,
  readLogin,
  type SavedLogin,
  writeLogin,
} from "../../src/world/mcp/login/login-file.ts"
import { openServer } from "../../src/world/mcp/open-server.ts"
import { naming } from "../naming.ts"
import type { HttpServer } from "./http-server-kit.ts"
import { mcpServer } from "./http-server-kit.ts"
import {
  browse,
  type IssuerOptions,
  loginPlace,
  type ProtectedOptions,
  startIssuer,
  startProtected,
} from "./oauth-kit.ts"

const bounds = { ...defaultMcpBounds, message: 65_536 }
const opened: HttpServer[] = []
afterEach(() => Promise.all(opened.splice(0).map((server) => server.close())))

async function world(ofIssuer: IssuerOptions = {}, ofServer: ProtectedOptions = {}) {
  const issuer = await startIssuer(ofIssuer)
  const server = await startProtected(issuer, ofServer)
  opened.push(issuer, server)
  const logins = loginPlace()
  const shown: string[] = []
  const login = (more: { readonly scope?: string } = {}) => {
    const failed = new AbortController()
    return logIn(
      "docs",
      { url: server.url },
      {
        logins,
        bounds,
        show(address) {
          shown.push(address)
          browse(address).catch(() => failed.abort())
        },
        signal: failed.signal,
        ...more,
      },
    )
  }
  const open = (name = "docs", url = server.url) =>
    openServer(name, { url }, { root: "/", cwd: "/", sandbox: "off", logins }, bounds)
  const call = async (of = open()) => {
    const connection = await of
    try {
      return await connection.call("do", {}, { signal: new AbortController().signal })
    } finally {
      await connection.close()
    }
  }
  return { issuer, server, logins, shown, login, open, call }
}

const done = { content: [{ type: "text", text: "done" }] }
const problemOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    (value) => `no problem: ${JSON.stringify(value)}`,
    (error) => `${error.type}: ${error.message}`,
  )

describe("a login", () => {
  test("finds the issuer, registers, and keeps tokens for this server, for the user alone", async () => {
    const { issuer, server, logins, login, call, shown } = await world()
    const result = await login()
    expect(result).toMatchObject({ type: "logged-in", tools: 1 })
    const saved = readLogin(logins, "docs")!
    expect(saved).toMatchObject({ server: server.url, issuer: issuer.origin, resource: server.url })
    expect(fs.statSync(locateLoginFile(logins, "docs")).mode & 0o777).toBe(0o600)
    expect([...logins.secrets]).toEqual(expect.arrayContaining([saved.accessToken, saved.refreshToken]))
    expect(issuer.asked).toContain("POST /reg")
    const asked = new URL(shown[0]!).searchParams
    expect([asked.get("code_challenge_method"), asked.get("resource"), asked.get("scope")]).toEqual([
      "S256",
      server.url,
      expect.stringContaining("read"),
    ])
    expect(await call()).toMatchObject(done)
  })

  test("is not needed at a server that asks for none", async () => {
    const server = await mcpServer(() => false)
    opened.push(server)
    const result = await logIn(
      "open",
      { url: server.url },
      { logins: loginPlace(), bounds, show() {}, signal: new AbortController().signal },
    )
    expect(result).toEqual({ type: "not-needed", tools: 1 })
  })

  test("asks for further rights besides those it had", async () => {
    const { login, call, logins } = await world({}, { needs: "write" })
    await login()
    expect(await problemOf(call())).toMatch(/^refused: .*write.*cadre mcp login docs --scope "write"/)
    await login({ scope: "write" })
    expect(readLogin(logins, "docs")!.scope!.split(" ")).toEqual(expect.arrayContaining(["read", "write"]))
    expect(await call()).toMatchObject(done)
  })

  test("189: an authorisation address that is no web address is refused, shown, and never opened", async () => {
    for (const address of [
      "javascript:alert(1)",
      "file:///etc/passwd",
      "$(calc)",
      "--flag",
      "http://example.com/auth",
      "data:text/html,x",
    ]) {
      const { login, shown, logins, issuer } = await world({
        describe: (description) => ({ ...description, authorization_endpoint: address }),
      })
      expect([address, await problemOf(login())]).toEqual([address, naming(JSON.stringify(address), "https")])
      expect([shown, readLogin(logins, "docs")]).toEqual([[], undefined])
      expect(issuer.asked).not.toContain("POST /reg")
    }
  })

  test("189: so is an authorisation server at such an address", async () => {
    const { login, shown } = await world(
      {},
      { describe: (description) => ({ ...description, authorization_servers: ["javascript:alert(1)"] }) },
    )
    expect([await problemOf(login()), shown]).toEqual([expect.stringContaining('"javascript:alert(1)"'), []])
  })

  test("keeps no token that is meant for another server, and revokes it", async () => {
    const { login, logins, server, issuer } = await world({ audience: "https://elsewhere.example.com/" })
    expect(await problemOf(login())).toMatch(/^refused: it refuses the token that .* gave for it/)
    expect(readLogin(logins, "docs")).toBeUndefined()
    const sent = server.tokens.filter((token) => token !== undefined)
    expect(sent.length).toBeGreaterThan(0)
    for (const token of sent) expect(await issuer.provider.AccessToken.find(token)).toBeUndefined()
  })

  test("is refused where the server describes itself as another one", async () => {
    const { login, shown } = await world(
      {},
      { describe: (description) => ({ ...description, resource: "https://elsewhere.example.com/" }) },
    )
    expect([await problemOf(login()), shown]).toEqual([
      expect.stringMatching(/Protected resource https:\/\/elsewhere\.example\.com/),
      [],
    ])
  })

  test("is refused where the issuer describes itself as another one", async () => {
    const { login, shown } = await world({
      describe: (description) => ({ ...description, issuer: "https://elsewhere.example.com" }),
    })
    expect([await problemOf(login()), shown]).toEqual([expect.stringMatching(/issuer/i), []])
  })

  test("waits for the answer with its own state, and for nothing else", async () => {
    const { server, logins } = await world()
    const strange: number[] = []
    const result = await logIn(
      "docs",
      { url: server.url },
      {
        logins,
        bounds,
        signal: new AbortController().signal,
        async show(address) {
          const back = new URL(address).searchParams.get("redirect_uri")!
          for (const query of ["?code=stolen", "?code=stolen&state=guessed", ""])
            strange.push((await fetch(`${back}${query}`)).status)
          await browse(address)
        },
      },
    )
    expect([strange, result.type]).toEqual([[404, 404, 404], "logged-in"])
  })

  test("ends where the person does not finish it", async () => {
    const { server, logins } = await world()
    const ended = new AbortController()
    const login = logIn(
      "docs",
      { url: server.url },
      { logins, bounds, show: () => ended.abort(), signal: ended.signal },
    )
    expect(await problemOf(login)).toMatch(/^deadline: .*not finished/)
  })

  test("that the person refuses says so", async () => {
    const { server, logins } = await world()
    const login = logIn(
      "docs",
      { url: server.url },
      {
        logins,
        bounds,
        signal: new AbortController().signal,
        show(address) {
          const { searchParams } = new URL(address)
          const back = new URL(searchParams.get("redirect_uri")!)
          const answer = { error: "access_denied", state: searchParams.get("state")! }
          back.search = String(new URLSearchParams({ ...answer, iss: opened[0]!.origin }))
          void fetch(back)
        },
      },
    )
    expect(await problemOf(login)).toMatch(/access_denied/)
  })
})

describe("in a run", () => {
  test("a server that wants a login says which command gives one", async () => {
    const { open, server, issuer } = await world()
    expect(await problemOf(open())).toBe("refused: it asks for a login. Run `cadre mcp login docs`")
    expect([server.tokens, issuer.asked]).toEqual([[undefined], []])
  })

  test("the tokens of one address go to no other", async () => {
    const { login, open, logins, issuer } = await world()
    await login()
    const other = await startProtected(issuer)
    opened.push(other)
    expect(await problemOf(open("docs", other.url))).toMatch(/cadre mcp login docs/)
    expect(other.tokens).toEqual([undefined])
    expect(readLogin(logins, "docs")).toBeDefined()
  })

  test("an expired token is renewed once for all calls and connections, and the new one is kept", async () => {
    const { login, open, issuer, logins, server } = await world({ seconds: 30 })
    await login()
    const before = readLogin(logins, "docs")!
    await writeLogin(logins, "docs", { ...before, expires: Date.now() - 1 })
    issuer.tokenRequests.length = 0
    const connections = await Promise.all(Array.from({ length: 4 }, () => open()))
    const answers = await Promise.all(
      connections.flatMap((connection) =>
        Array.from({ length: 5 }, () => connection.call("do", {}, { signal: new AbortController().signal })),
      ),
    )
    await Promise.all(connections.map((connection) => connection.close()))
    expect(answers).toHaveLength(20)
    const after = readLogin(logins, "docs")!
    expect(issuer.tokenRequests.map((request) => request.get("grant_type"))).toEqual(["refresh_token"])
    expect(issuer.tokenRequests[0]!.get("resource")).toBe(server.url)
    expect([after.accessToken === before.accessToken, after.refreshToken === before.refreshToken]).toEqual([
      false,
      false,
    ])
    expect(logins.secrets.has(after.accessToken)).toBe(true)
  })

  test("a token that the server refuses is renewed, whatever the clock says", async () => {
    const { login, call, issuer, logins, open } = await world()
    await login()
    const before = readLogin(logins, "docs")!
    const connection = await open()
    const stored = (await issuer.provider.AccessToken.find(before.accessToken)) as unknown as {
      destroy(): Promise<void>
    }
    await stored.destroy()
    expect(await call(Promise.resolve(connection))).toMatchObject(done)
    expect(readLogin(logins, "docs")!.accessToken).not.toBe(before.accessToken)
  })

  test("a login that the issuer has ended is not tried again", async () => {
    const { login, open, issuer, logins } = await world()
    await login()
    const before = readLogin(logins, "docs")!
    await writeLogin(logins, "docs", { ...before, refreshToken: "never-given", expires: 1 })
    issuer.tokenRequests.length = 0
    const problems = [await problemOf(open()), await problemOf(open())]
    expect(problems[0]).toMatch(/^refused: .* has ended its login .*invalid.*cadre mcp login docs/)
    expect(problems[1]).toBe("refused: its login has expired. Run `cadre mcp login docs`")
    expect(issuer.tokenRequests).toHaveLength(1)
    expect(problems.join("")).not.toContain("never-given")
  })

  test("an issuer that cannot be reached does not end the login", async () => {
    const { login, open, issuer, logins } = await world()
    await login()
    const saved = { ...readLogin(logins, "docs")!, expires: 1 }
    await writeLogin(logins, "docs", saved)
    await issuer.close()
    expect(await problemOf(open())).toMatch(/^answer: .*could not be renewed at/)
    expect(readLogin(logins, "docs")).toMatchObject(saved as unknown as Record<string, unknown>)
  })

  test.each([
    ["is no JSON", "{"],
    ["lacks the tokens", '{"version":1,"server":"http://127.0.0.1"}'],
    ["is of a later version", '{"version":2}'],
  ])("a login file that %s is no login, and says what to do", async (_, text) => {
    const { open, logins, login } = await world()
    await login()
    fs.writeFileSync(locateLoginFile(logins, "docs"), text)
    expect(await problemOf(open())).toMatch(/^refused: its login file .*`cadre mcp logout docs`/)
  })
})

describe("a logout", () => {
  test("revokes both tokens at the issuer, and removes the file", async () => {
    const { login, logins, issuer } = await world()
    await login()
    const { accessToken, refreshToken } = readLogin(logins, "docs") as Required<SavedLogin>
    expect(await logOut("docs", logins, bounds.message)).toEqual({
      type: "removed",
      issuer: issuer.origin,
      revocation: { type: "revoked" },
    })
    expect(readLogin(logins, "docs")).toBeUndefined()
    const { AccessToken, RefreshToken } = issuer.provider
    expect([await AccessToken.find(accessToken), await RefreshToken.find(refreshToken)]).toEqual([
      undefined,
      undefined,
    ])
    expect(await logOut("docs", logins, bounds.message)).toEqual({ type: "none" })
  })

  test("removes the file also where the issuer is gone, and says that the tokens still count", async () => {
    const { login, logins, issuer } = await world()
    await login()
    await issuer.close()
    expect(await logOut("docs", logins, bounds.message)).toMatchObject({
      type: "removed",
      revocation: { type: "kept", why: expect.any(String) },
    })
    expect(readLogin(logins, "docs")).toBeUndefined()
  })
})
