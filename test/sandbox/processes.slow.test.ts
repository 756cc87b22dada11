import { spawn } from "node:child_process"
import fs from "node:fs"
import path from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { markerName } from "../../src/world/sandbox/child-environment.ts"
import { findMarkedProcesses } from "../../src/world/sandbox/processes.ts"
import { expectNothingLeft, makeWorld, run, ways } from "./kit.ts"

let world: ReturnType<typeof makeWorld>
beforeAll(() => {
  world = makeWorld()
})
afterAll(() => world.remove())

describe.each(ways)("sandbox %s", (sandbox) => {
  test("output, errors in their place, exit code", async () => {
    const result = await run(world, "echo one; echo two >&2; echo three; exit 3", { sandbox })
    expect(result).toMatchObject({ ending: "exit", exitCode: 3, head: "one\ntwo\nthree\n", omitted: 0 })
    expect(result.unsandboxed).toBe(sandbox === "off" ? "it was switched off" : undefined)
  })

  test("81: endless output is killed at the limit; beginning and end are kept, memory is not", async () => {
    global.gc?.()
    const before = process.memoryUsage().rss
    const result = await run(world, "echo first; yes", { sandbox })
    const growth = process.memoryUsage().rss - before
    expect(result).toMatchObject({ ending: "output-limit" })
    expect(result.head.startsWith("first\ny\n")).toBe(true)
    expect(result.tail.endsWith("y\n") || result.tail.endsWith("y")).toBe(true)
    expect(result.omitted).toBeGreaterThan(50_000_000)
    expect(growth).toBeLessThan(50 * 2 ** 20)
  })

  test("81: a gigabyte that is allowed passes through little memory", async () => {
    const before = process.memoryUsage().rss
    let highest = 0
    const watch = setInterval(() => {
      highest = Math.max(highest, process.memoryUsage().rss)
    }, 5)
    const result = await run(world, "head -c 1000000000 /dev/zero | tr '\\0' x", {
      sandbox,
      limits: { output: 2e9 },
      timeout: 60_000,
    })
    clearInterval(watch)
    expect(result).toMatchObject({ ending: "exit", exitCode: 0 })
    expect(result.head.length + result.tail.length + result.omitted).toBe(1_000_000_000)
    expect(highest - before).toBeLessThan(50 * 2 ** 20)
  })

  test("82: bytes that are no text become well-formed text", async () => {
    const { head } = await run(world, "printf 'a\\xff\\x00b\\xed\\xa0\\x80'", { sandbox })
    expect(head.isWellFormed()).toBe(true)
    expect(head).toMatch(/^a\ufffd\ufffdb/)
  })

  test("84: what ignores SIGTERM is killed after the grace", async () => {
    const result = await run(world, "trap '' TERM; (trap '' TERM; sleep 999) & while :; do sleep 0.1; done", {
      sandbox,
      timeout: 500,
    })
    expect(result.ending).toBe("timeout")
  })

  test("84: what heeds SIGTERM can still clean up", async () => {
    const result = await run(world, "trap 'echo cleaned; exit 7' TERM; sleep 999 & wait", {
      sandbox,
      timeout: 1_500,
    })
    expect(result).toMatchObject({ ending: "timeout", head: "cleaned\n" })
  })

  test("84: an abort ends it at once", async () => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 300)
    const result = await run(world, "sleep 999", { sandbox, signal: controller.signal })
    expect(result.ending).toBe("aborted")
  })

  test.each([
    "sleep 999 & disown; setsid sleep 999 & nohup sleep 999 >/dev/null 2>&1 & echo done",
    "(setsid bash -c 'sleep 999 & sleep 998' &) ; echo done",
    "bash -c 'bash -c \"sleep 999 &\" &'; echo done",
  ])("85: nothing is left in the process table after %s", async (command) => {
    const result = await run(world, command, { sandbox })
    expect(result).toMatchObject({ ending: "exit", exitCode: 0 })
    expect(result.text).toContain("done")
  })

  test("85: nothing is left of what took off its mark", async () => {
    const unique = `12346.${process.pid}`
    await run(world, `env -i sleep ${unique} & echo done`, { sandbox })
    await expectNoCommand(unique)
  })

  test("86: it returns although a child keeps its output open", async () => {
    const result = await run(world, "sleep 999 & echo done", { sandbox })
    expect(result.head).toBe("done\n")
  })

  test("87: nothing waits for a person", async () => {
    const command =
      'cat; read -r line; echo "read $?"; (: </dev/tty) 2>/dev/null || echo no tty; "$EDITOR" x || echo no editor; echo $PAGER $GIT_TERMINAL_PROMPT $TERM'
    const result = await run(world, command, { sandbox })
    expect(result.head).toBe("read 1\nno tty\nno editor\ncat 0 dumb\n")
  })

  test("89, 144: SIGKILL to the host ends its commands, and nothing of them stays in the workspace", async () => {
    const before = fs.readdirSync(world.root)
    const marker = `killed-${process.pid}-${sandbox}:1`
    const source = path.join(import.meta.dirname, "../../src/world/sandbox")
    const program = `
      const { buildChildEnvironment } = await import("${source}/child-environment.ts")
      const { runCommand } = await import("${source}/run-command.ts")
      const [root, home, sandbox, marker] = process.argv.slice(1)
      const running = runCommand({
        command: "setsid sleep 998 & nohup sleep 997 & sleep 999",
        cwd: root,
        environment: buildChildEnvironment(process.env, { root, marker }),
        bounds: { root, home, network: "none", protected: [".acai", ".mcp.json"] },
        sandbox,
        timeout: 60_000,
      })
      console.log("started")
      await running`
    const host = spawn(
      process.execPath,
      ["--import", "tsx", "--input-type=module", "--eval", program, world.root, world.home, sandbox, marker],
      {
        stdio: ["ignore", "pipe", "inherit"],
      },
    )
    await new Promise((resolve) => host.stdout.once("data", resolve))
    for (let round = 0; round < 100 && findMarkedProcesses(markerName, marker).length < 2; round++)
      await sleep(50)
    expect(findMarkedProcesses(markerName, marker).length).toBeGreaterThanOrEqual(2)
    // Processes are there before what they are given to see.
    if (sandbox === "required") await expect.poll(() => fs.readdirSync(world.root)).toContain(".mcp.json")
    host.kill("SIGKILL")
    await sleep(1_000)
    await expectNothingLeft(marker)
    await vi.waitFor(() => expect(fs.readdirSync(world.root)).toEqual(before), 20_000)
  })

  test("90: a file larger than is allowed is cut off", async () => {
    const result = await run(
      world,
      "head -c 50000000 /dev/zero > large; echo $?; stat -c %s large; rm large",
      {
        sandbox,
        limits: { fileSize: 10_000_000 },
      },
    )
    const [code, size] = result.head
      .split("\n")
      .filter((line) => /^\d+$/.test(line))
      .map(Number)
    expect(code).not.toBe(0)
    expect(size).toBeLessThan(10_100_000)
  })

  test("a process of another call is not touched", async () => {
    const other = spawn("sleep", ["5"], { env: { ...process.env, [markerName]: "other:1" } })
    await run(world, "sleep 999 & true", { sandbox, marker: "other:12" })
    expect(findMarkedProcesses(markerName, "other:1")).toEqual([other.pid])
    other.kill()
  })
})

describe.runIf(ways.includes("required"))("in the sandbox", () => {
  test("90: a fork bomb is ended, and the host goes on", async () => {
    const result = await run(world, "bomb() { bomb | bomb & }; bomb; sleep 1000", {
      limits: { processes: 100 },
      timeout: 60_000,
    })
    expect(["process-limit", "exit"]).toContain(result.ending)
  })

  test("90: 10,000 files are only files", async () => {
    const result = await run(
      world,
      "mkdir many && cd many && for i in $(seq 10000); do : > $i; done; ls | wc -l",
      { timeout: 60_000 },
    )
    expect(result.head.trim()).toBe("10000")
    fs.rmSync(path.join(world.root, "many"), { recursive: true })
  })

  test("85: not even what takes off its mark and begins a life of its own", async () => {
    const unique = `12345.${process.pid}`
    await run(world, `env -i setsid sleep ${unique} & sleep 0.2; echo done`)
    await expectNoCommand(unique)
  })
})

/** Seen by its arguments, as it has no mark. */
async function expectNoCommand(unique: string): Promise<void> {
  await sleep(200)
  const commands = fs.readdirSync("/proc").map((id) => {
    try {
      return fs.readFileSync(`/proc/${id}/cmdline`, "utf8")
    } catch {
      return ""
    }
  })
  expect(commands.filter((text) => text.startsWith("sleep") && text.includes(unique))).toEqual([])
}
