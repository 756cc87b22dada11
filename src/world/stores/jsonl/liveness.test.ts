import fs from "node:fs"
import net from "node:net"
import path from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import { temporaryFolder } from "../../../../test/file-kit.ts"
import { askOwner, closeEndpoint, heldClaims, openEndpoint } from "./endpoint.ts"
import { checkLiveness, killOwner } from "./liveness.ts"
import { type ClaimOwner, identifySocketFolder, readThisProcess } from "./owner.ts"

const base = temporaryFolder()
const me = readThisProcess()
const missing = path.join(base, "missing.sock")

const owner = (more: Partial<ClaimOwner> = {}): ClaimOwner => ({
  ...me,
  host: "here",
  socket: missing,
  place: identifySocketFolder(missing),
  nonce: "n",
  ...more,
})

/** A socket that another process could have: it answers each line with this text, or ends, or says nothing. */
async function listening(answer: string | "end" | "silence"): Promise<string> {
  const socket = path.join(fs.mkdtempSync(path.join(base, "s")), "s")
  const lines: string[] = []
  const connections = new Set<net.Socket>()
  const server = net.createServer((connection) => {
    connections.add(connection)
    connection.on("data", (text) => {
      lines.push(String(text))
      if (answer === "end") connection.end()
      else if (answer !== "silence") connection.write(answer)
    })
  })
  await new Promise<void>((resolve) => server.listen(socket, resolve))
  onTestFinished(() => {
    for (const connection of connections) connection.destroy()
    server.close()
  })
  return socket
}

describe("an owner is asked over its socket", () => {
  test.each<[string, string]>([
    ["yes\n", "yes"],
    ["no\n", "no"],
    ["what?\n", "no"],
    ["end", "refused"],
    ["silence", "silent"],
  ])("%j means %s", async (answer, expected) => {
    expect(await askOwner(owner({ socket: await listening(answer) }), "holds")).toBe(expected)
  })

  test("a missing socket and one without a process differ", async () => {
    const left = path.join(base, "left.sock")
    const server = net.createServer()
    await new Promise<void>((resolve) => server.listen(left, resolve))
    fs.linkSync(left, `${left}.copy`)
    await new Promise((resolve) => server.close(resolve))
    expect([
      await askOwner(owner(), "holds"),
      await askOwner(owner({ socket: `${left}.copy` }), "holds"),
      await askOwner(owner({ socket: path.join(base, "x".repeat(200)) }), "holds"),
    ]).toEqual(["missing", "refused", expect.stringMatching(/^(?:silent|missing)$/)])
  })
})

describe("a process answers for its claims", () => {
  test("only claims that it holds, and only a letter rings", async () => {
    const { socket, place } = await openEndpoint()
    onTestFinished(closeEndpoint)
    let rings = 0
    heldClaims.set("mine", () => rings++)
    onTestFinished(() => void heldClaims.delete("mine"))
    const say = (text: string) =>
      new Promise<string>((resolve, reject) => {
        const connection = net.connect(socket, () => connection.write(text))
        connection.once("data", (answer) => resolve(String(answer)))
        connection.once("close", () => resolve("closed"))
        connection.once("error", reject)
      })
    expect(place).toBe(identifySocketFolder(socket))
    expect([
      await say("holds mine\n"),
      await say("holds other\n"),
      await say("holds\n"),
      await say(`${"x".repeat(201)}`),
      rings,
    ]).toEqual(["yes\n", "no\n", "no\n", "closed", 0])
    expect([await say("letter mine\nholds other\n"), rings]).toEqual(["yes\n", 1])
    // A process does not ask itself over the socket.
    expect([
      await askOwner(owner({ socket, nonce: "mine" }), "letter"),
      await askOwner(owner({ socket, nonce: "other" }), "letter"),
      rings,
    ]).toEqual(["yes", "no", 2])
  })

  test("one socket serves all users, until the last one closes it", async () => {
    const [first, second] = [await openEndpoint(), await openEndpoint()]
    expect(second).toEqual(first)
    expect(fs.statSync(path.dirname(first.socket)).mode & 0o777).toBe(0o700)
    await closeEndpoint()
    expect(await askOwner(owner({ socket: first.socket }), "holds")).toBe("no")
    await closeEndpoint()
    await expect.poll(() => fs.existsSync(first.socket)).toBe(false)
    const third = await openEndpoint()
    expect(third.socket).not.toBe(first.socket)
    await closeEndpoint()
  })

  test("sockets of dead processes are removed, others are left alone", async () => {
    const { socket } = await openEndpoint()
    await closeEndpoint()
    const [folder, namespace] = [path.dirname(socket), path.basename(socket).split("-")[0]!]
    const names = [
      `${namespace}-999999999-a.sock`,
      `${namespace}-${process.pid}-b.sock`,
      `${namespace}-999999999-c.txt`,
      "0-999999999-d.sock",
    ]
    for (const name of names) fs.writeFileSync(path.join(folder, name), "")
    onTestFinished(() => {
      for (const name of names) fs.rmSync(path.join(folder, name), { force: true })
    })
    await openEndpoint()
    onTestFinished(closeEndpoint)
    expect(names.map((name) => fs.existsSync(path.join(folder, name)))).toEqual([false, true, true, true])
  })
})

describe.skipIf(process.platform !== "linux")("an owner is alive, dead or unknown", () => {
  const unknown = { namespace: "pid:[1]" }
  test.each<[string, Partial<ClaimOwner>, string | undefined, object]>([
    [
      "another machine",
      { boot: "other", machine: "other" },
      undefined,
      { type: "unknown", detail: "on another machine" },
    ],
    [
      "an unknown machine",
      { boot: "other", machine: "" },
      undefined,
      { type: "unknown", detail: "on another machine" },
    ],
    ["another boot of this machine", { boot: "other" }, undefined, { type: "dead" }],
    ["another boot of this machine, whatever answers", { boot: "other" }, "yes\n", { type: "dead" }],
    ["no process with this id", { pid: 999_999_999 }, "yes\n", { type: "dead" }],
    ["a reused process id", { start: "1" }, "yes\n", { type: "dead" }],
    ["it says that it holds the claim", {}, "yes\n", { type: "alive", detail: "" }],
    ["it says that it does not", {}, "no\n", { type: "dead" }],
    ["it ends while it is asked", unknown, "end", { type: "dead" }],
    [
      "it does not answer",
      unknown,
      "silence",
      { type: "alive", detail: expect.stringContaining("suspended") },
    ],
    ["this process without its socket", {}, undefined, { type: "dead" }],
    ["a missing socket in the same folder", unknown, undefined, { type: "dead" }],
    [
      "a missing socket in another folder",
      { ...unknown, place: "0:0" },
      undefined,
      { type: "unknown", detail: "in another container" },
    ],
    [
      "a missing socket, where no boot is known",
      { ...unknown, boot: "", place: "0:0" },
      undefined,
      { type: "dead" },
    ],
  ])("%s", async (_, more, answer, expected) => {
    const socket = answer === undefined ? missing : await listening(answer)
    expect(await checkLiveness(owner({ socket, ...more }))).toEqual(expected)
  })

  test.each<[string, Partial<ClaimOwner>]>([
    ["of a reused process id", { start: "1" }],
    ["of another boot", { boot: "other" }],
    ["of no known boot", { boot: "" }],
    ["that is this process", { pid: process.pid, start: me.start }],
  ])("an owner %s is not killed", async (_, more) => {
    const { kill } = process
    const killed: unknown[] = []
    try {
      process.kill = (pid, signal) => {
        if (signal === 0) return kill(pid, 0)
        killed.push(pid)
        return true
      }
      await killOwner(owner({ pid: process.ppid, start: readStart(process.ppid), ...more }))
    } finally {
      process.kill = kill
    }
    expect(killed).toEqual([])
  })

  test("a running process without its socket is alive", async () => {
    const parent = readStart(process.ppid)
    expect(await checkLiveness(owner({ pid: process.ppid, start: parent }))).toEqual({
      type: "alive",
      detail: expect.stringContaining("socket"),
    })
  })
})

const readStart = (pid: number): string =>
  fs.readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").at(-1)!.split(" ")[19]!
