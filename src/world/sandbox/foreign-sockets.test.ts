import fs from "node:fs"
import net from "node:net"
import os from "node:os"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { findForeignSockets } from "./foreign-sockets.ts"

let base = ""
let servers: net.Server[] = []
beforeEach(() => {
  base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "sockets-")))
  servers = []
})
afterEach(async () => {
  for (const server of servers) await close(server)
  fs.rmSync(base, { recursive: true, force: true })
})

const at = (name: string) => path.join(base, name)

async function listen(name: string): Promise<net.Server> {
  fs.mkdirSync(path.dirname(at(name)), { recursive: true })
  const server = net.createServer()
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(at(name), resolve))
  return server
}

const close = (server: net.Server) => new Promise((resolve) => server.close(resolve))

/** A socket that the kernel lists by a path that no longer exists: only a search of the folder finds it. */
async function listenAndMove(from: string, to: string): Promise<void> {
  await listen(`${from}/s.sock`)
  fs.mkdirSync(path.dirname(at(to)), { recursive: true })
  fs.renameSync(at(from), at(to))
}

/** The sockets below the folder of the test. */
const found = async (...folders: readonly string[]) =>
  (await findForeignSockets(folders)).flatMap((place) =>
    place.startsWith(`${base}/`) ? [path.relative(base, place)] : [],
  )

describe.runIf(process.platform === "linux")("the sockets of programs", () => {
  test("are found by the path that they were bound to, in any folder", async () => {
    await listen("a.sock")
    expect(await found()).toEqual(["a.sock"])
  })

  test("are found by a path that is relative to the folder of their program", async () => {
    const before = process.cwd()
    process.chdir(base)
    try {
      const server = net.createServer()
      servers.push(server)
      await new Promise<void>((resolve) => server.listen("relative.sock", resolve))
      expect(await found()).toEqual(["relative.sock"])
    } finally {
      process.chdir(before)
    }
  })

  test("are found under each of their names, and other files are not", async () => {
    await listen("f/a.sock")
    fs.linkSync(at("f/a.sock"), at("f/second.sock"))
    fs.writeFileSync(at("f/file"), "")
    fs.mkdirSync(at("f/folder"))
    expect((await found(base)).sort()).toEqual(["f/a.sock", "f/second.sock"])
  })

  test("are found where a link leads to them, as the path without the link", async () => {
    await listenAndMove("old", "real/deep/er")
    fs.symlinkSync("real", at("link"))
    expect(await found(at("link"))).toEqual(["real/deep/er/s.sock"])
  })

  test("are not found in a folder that was moved and is not searched", async () => {
    await listenAndMove("old", "new")
    expect(await found(at("elsewhere"))).toEqual([])
    expect(await found(at("elsewhere"), at("new"))).toEqual(["new/s.sock"])
  })

  test.each([
    ["node_modules", []],
    ["a/node_modules", []],
    [".git/objects", []],
    ["objects", ["objects/s.sock"]],
    ["node_modules_2", ["node_modules_2/s.sock"]],
  ])("a search looks below %s: %j", async (folder, expected) => {
    await listenAndMove("old", folder)
    expect(await found(base)).toEqual(expected)
  })

  test("a socket whose program has closed it does not count", async () => {
    const server = await listen("ended/a.sock")
    fs.linkSync(at("ended/a.sock"), at("left.sock"))
    await listenAndMove("old", "new")
    await close(server)
    expect(await found(base)).toEqual(["new/s.sock"])
  })
})
