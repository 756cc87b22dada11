/** Runs whose provider is down when they are resumed, in real processes. */
import net from "node:net"
import { afterEach, beforeEach, expect, test } from "vitest"
import { startModelServer } from "../../src/faces/testing/model-server.ts"
import { CommandWorld } from "../run-command-kit.ts"

let world: CommandWorld
let port: number
beforeEach(async () => {
  world = new CommandWorld()
  world.agent("worker", ["model: far:m"])
  world.agent("other")
  port = await freePort()
  world.put("config/config.yaml", `providers: { far: { baseUrl: "http://127.0.0.1:${port}/v1" } }\n`)
})
afterEach(() => world.remove())

/** One that nobody listens at. */
const freePort = () =>
  new Promise<number>((resolve) => {
    const server = net.createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as net.AddressInfo
      server.close(() => resolve(port))
    })
  })

/** A run whose process is killed while its provider is down, or while its model thinks. */
async function killed(...words: readonly string[]): Promise<void> {
  const started = world.start(["run", ...words])
  await started.says(words[0] === "worker" ? /retries in/ : /started/)
  started.child.kill("SIGKILL")
  await started.ended
}

test("they wait and say so, others go on meanwhile, and killed and resumed again they wait again", async () => {
  await killed("worker", "Go.")
  world.script({ other: [{ text: "Done.", delayMs: 1_500 }] })
  await killed("other", "Go.", ...world.model)
  const waits = new RegExp(
    `waits for 127\\.0\\.0\\.1:${port} until \\d\\d:\\d\\d: .*ECONNREFUSED.*, attempt \\d+`,
  )

  const first = world.start(["resume", "--all"])
  await first.says(waits)
  await first.says(/other completed/)
  expect((await world.cadre("runs")).stdout).toMatch(waits)
  first.child.kill("SIGKILL")
  await first.ended

  const second = world.start(["resume", "--all"])
  await second.says(waits)
  const server = await startModelServer({ script: () => ({ text: "Back." }) })
  const address = Number(new URL(server.url).port)
  const way = net.createServer((socket) => {
    const to = net.connect(address, "127.0.0.1")
    socket.pipe(to).pipe(socket)
    for (const end of [socket, to]) end.on("error", () => {})
  })
  way.listen(port, "127.0.0.1")
  const { code, stdout } = await second.ended
  way.close()
  await server.close()
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^\w+ {2}worker {2}completed\n$/)])
})

test("a subagent that is started after the resume waits, and `runs` says so beside its root", async () => {
  world.agent("lead", ["tools: Agent", `model: "script:${world.scriptFile}"`])
  world.script({
    lead: [{ calls: [{ tool: "Agent", input: { agent: "worker", prompt: "Go." } }], delayMs: 1_500 }],
  })
  await killed("lead", "Go.")
  const resumed = world.start(["resume", "--all"])
  await resumed.says(/waits for 127\.0\.0\.1:\d+ until/)
  expect((await world.cadre("runs")).stdout).toMatch(
    new RegExp(
      `lead +open .* its subagent worker waits for 127\\.0\\.0\\.1:${port} until \\d\\d:\\d\\d: .*ECONNREFUSED.*, attempt \\d+`,
    ),
  )
  resumed.child.kill("SIGKILL")
  await resumed.ended
})
