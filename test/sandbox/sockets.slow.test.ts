import { type ChildProcess, spawn } from "node:child_process"
import fs from "node:fs"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { makeWorld, run, sandboxMissing } from "./kit.ts"

let world: ReturnType<typeof makeWorld>
let made: string[]
let servers: ChildProcess[]
beforeEach(() => {
  world = makeWorld()
  made = []
  servers = []
})
afterEach(() => {
  for (const server of servers) server.kill("SIGKILL")
  for (const folder of made) fs.rmSync(folder, { recursive: true, force: true })
  world.remove()
})

const serving = `
  const server = require("node:net").createServer((socket) => socket.end("reached")).listen(process.argv[1].replace("@", "\\0"))
  server.on("listening", () => console.log("listening")).on("error", (error) => { throw error })`

/** Another program that listens on a socket. */
async function listen(socket: string, cwd = "/", words: readonly string[] = []): Promise<void> {
  const [program, ...rest] = [...words, process.execPath, "-e", serving, socket]
  const server = spawn(program!, rest, { cwd, stdio: ["ignore", "pipe", "inherit"] })
  servers.push(server)
  await new Promise((resolve, reject) => {
    server.stdout!.once("data", resolve)
    server.once("exit", () => reject(new Error("The server has ended.")))
  })
}

function folderIn(parent: string): string {
  const folder = fs.mkdtempSync(path.join(parent, "cadre-socket-"))
  made.push(folder)
  return folder
}

const connecting = (socket: string) =>
  `node -e 'require("node:net").connect(${JSON.stringify(socket)}.replace("@", "\\0")).on("data", (data) => console.log(String(data))).on("error", ({ code }) => console.log(code))'`

const isWritable = (folder: string) => {
  try {
    fs.accessSync(folder, fs.constants.W_OK)
    return true
  } catch {
    return false
  }
}

describe.skipIf(sandboxMissing)("a command in the sandbox connects to no socket of another program", () => {
  test.runIf(isWritable("/opt"))("outside of the workspace, renamed or with a second name", async () => {
    const folder = folderIn("/opt")
    await listen(path.join(folder, "new.sock"))
    fs.linkSync(path.join(folder, "new.sock"), path.join(folder, "second.sock"))
    fs.renameSync(path.join(folder, "new.sock"), path.join(folder, "a.sock"))
    for (const name of ["a.sock", "second.sock"])
      expect((await run(world, connecting(path.join(folder, name)))).text).not.toContain("reached")
  })

  test.each(["/opt", "/var/lib", "/srv"].filter(isWritable))("in %s", async (parent) => {
    const folder = folderIn(parent)
    await listen(path.join(folder, "a.sock"))
    await listen("relative.sock", folder)
    for (const name of ["a.sock", "relative.sock"])
      expect((await run(world, connecting(path.join(folder, name)))).text).not.toContain("reached")
  })

  test("in the workspace, with whichever name, behind links, and after it was moved", async () => {
    const folder = path.join(world.root, "sub/sockets")
    fs.mkdirSync(folder)
    await listen(path.join(folder, "with a space.sock"))
    await listen("relative.sock", folder)
    await listen(path.join(world.root, ".git/ipc"))
    fs.symlinkSync("sub/sockets", path.join(world.root, "leads"))
    const places = ["sub/sockets/with a space.sock", "leads/relative.sock", ".git/ipc", "moved/relative.sock"]
    const { text } = await run(
      world,
      `mv sub/sockets moved; ln moved/relative.sock linked; mv moved/relative.sock renamed
      ${[...places, "linked", "renamed"].map(connecting).join("\n")}`,
    )
    expect(text).not.toContain("reached")
  })

  test("in a network namespace of its own", async () => {
    if (process.getuid?.() !== 0) return
    await listen(path.join(world.root, "container.sock"), "/", ["/usr/bin/unshare", "--net"])
    expect((await run(world, connecting("container.sock"))).text).not.toContain("reached")
  })

  test("without a path in the file system", async () => {
    await listen("@cadre-abstract-test")
    expect((await run(world, connecting("@cadre-abstract-test"))).text).toBe("ECONNREFUSED\n")
  })
})

describe.skipIf(sandboxMissing)("a command in the sandbox connects to its own sockets", () => {
  test.each(["own.sock", "/tmp/own.sock", "sub/own.sock"])("at %s", async (socket) => {
    const { text } = await run(
      world,
      `node -e '
        const net = require("node:net")
        const server = net.createServer((socket) => socket.end("reached")).listen(${JSON.stringify(socket)}, () =>
          net.connect(${JSON.stringify(socket)}).on("data", (data) => { console.log(String(data)); server.close() }))'`,
    )
    expect(text).toBe("reached\n")
  })

  test("also where a program that no longer runs has left one", async () => {
    await listen(path.join(world.root, "left.sock"))
    servers[0]!.kill("SIGKILL")
    await new Promise((resolve) => servers[0]!.once("exit", resolve))
    const { text } = await run(
      world,
      `rm left.sock && node -e '
        const net = require("node:net")
        const server = net.createServer((socket) => socket.end("reached")).listen("left.sock", () =>
          net.connect("left.sock").on("data", (data) => { console.log(String(data)); server.close() }))'`,
    )
    expect(text).toBe("reached\n")
  })

  test("and to both ends of a pair", async () => {
    const { text } = await run(
      world,
      `perl -MSocket -e 'socketpair(my $one, my $other, AF_UNIX, SOCK_STREAM, PF_UNSPEC) or die; syswrite $one, "paired\\n"; sysread $other, my $text, 7; print $text'`,
    )
    expect(text).toBe("paired\n")
  })
})

test.skipIf(sandboxMissing)(
  "sockets that come and go keep no command from running, and leave nothing",
  async () => {
    const folder = folderIn(isWritable("/opt") ? "/opt" : world.root)
    const flicker = `
    const net = require("node:net"), path = require("node:path")
    const turn = (place) => {
      const server = net.createServer().on("error", () => setTimeout(turn, 10, place))
      server.listen(place, () => setTimeout(() => server.close(() => turn(place)), Math.random() * 100))
    }
    for (let index = 0; index < 10; index++) for (const folder of process.argv.slice(1)) turn(path.join(folder, "s" + index))
    console.log("going")`
    const program = spawn(process.execPath, ["-e", flicker, folder, world.root], {
      stdio: ["ignore", "pipe", "ignore"],
    })
    const exited = new Promise((resolve) => program.once("exit", resolve))
    servers.push(program)
    await new Promise((resolve) => program.stdout!.once("data", resolve))
    for (let round = 0; round < 10; round++) expect((await run(world, "echo ran")).text).toBe("ran\n")
    program.kill("SIGKILL")
    await exited
    const left = fs.readdirSync(world.root, { withFileTypes: true }).filter((entry) => entry.isFile())
    expect(left).toEqual([])
  },
)
