/**
 * Shows an agent whose engine is a real program: Claude Code from npm, as docs/guides/run-with-another-program.md sets it up, against the local
 * model server: which tools it offers its model, and that it is killed in the middle of a run. Needs the npm registry and
 * nothing else of the internet.
 */
import { once } from "node:events"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { setTimeout } from "node:timers/promises"
import {
  type ScriptedAnswer,
  type ServedRequest,
  startModelServer,
} from "../src/faces/testing/model-server.ts"
import { markerName } from "../src/world/sandbox/child-environment.ts"
import { findSandbox } from "../src/world/sandbox/find-sandbox.ts"
import { findMarkedProcesses } from "../src/world/sandbox/processes.ts"
import { documentedExecutor } from "./executor-proof/documented.ts"
import {
  namesOf,
  offerings,
  offerProblem,
  refusalProblem,
  temptedIn,
  temptIn,
  trying,
} from "./executor-proof/offered.ts"
import { ProofWorld } from "./executor-proof/world.ts"

const sandbox = await findSandbox()
const server = await startModelServer({ script: answer })
const variables = {
  ANTHROPIC_BASE_URL: server.url.replace(/\/v1$/, ""),
  ANTHROPIC_API_KEY: "no-key-at-all-0123456789",
  DISABLE_TELEMETRY: "1",
  DISABLE_AUTOUPDATER: "1",
  DISABLE_ERROR_REPORTING: "1",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
}
const world = new ProofWorld("@anthropic-ai/claude-code", "claude", variables)
let failures = 0

try {
  configure()
  say("machine", `${os.cpus().length} cores, ${os.type()} ${os.release()}, Node ${process.versions.node}`)
  say("program", `@anthropic-ai/claude-code ${world.version}`)
  say("sandbox", "path" in sandbox ? sandbox.path : `none: ${sandbox.problem}`)
  agent("teller")
  agent("loose", "executor: loose\n")
  agent("maker", "executor: claude\ntools: Bash\n")
  agent(
    "judge",
    "executor: claude\ntools: []\noutput: {type: object, properties: {good: {type: boolean}}, required: [good], additionalProperties: false}\n",
  )
  await answersText()
  await usesItsTools()
  await handsInValue()
  await takesLongPrompts()
  await offersNoMore()
  await isKilled("teller")
  await isKilled("loose")
} finally {
  await server.close()
  world.remove()
}
process.exitCode = failures === 0 ? 0 : 1

/** As the page has it; but it keeps no sessions, and once it runs without the sandbox. */
function configure(permissions = ""): void {
  const { command, options, ...rest } = documentedExecutor()
  const settings = {
    ...rest,
    command: [world.program, ...command.slice(1), "--no-session-persistence"],
    options,
    environment: Object.keys(variables),
  }
  const executors = { claude: settings, loose: { ...settings, sandbox: "off" } }
  world.put("config/config.yaml", `executors: ${JSON.stringify(executors)}\n${permissions}`)
}

function agent(name: string, keys = "executor: claude\n"): void {
  world.put(
    `config/agents/${name}.md`,
    `---\nname: ${name}\ndescription: Shows an executor.\n${keys}---\n\nYou are the ${name} of a proof.\n`,
  )
}

/** What the model says, by what its last message asks for. */
function answer({ body }: ServedRequest): ScriptedAnswer {
  const messages = body.messages as readonly { readonly role: string; readonly content: unknown }[]
  const last = JSON.stringify(messages.findLast(({ role }) => role === "user")!.content)
  const tools = (body.tools ?? []) as readonly { readonly name: string }[]
  if (last.includes("Never answer")) return { text: "too late", delayMs: 600_000 }
  if (last.includes("Try everything") && !last.includes("tool_result")) return { calls: trying(world.work) }
  if (last.includes("Make a file"))
    return {
      calls: [{ tool: "Bash", arguments: { command: "echo made > made.txt", description: "Make it" } }],
    }
  if (last.includes("tool_result")) return { text: "It is made." }
  const hand = tools.find(({ name }) => /structured/i.test(name))
  if (hand && last.includes("Judge")) return { calls: [{ tool: hand.name, arguments: { good: true } }] }
  return { text: "Hello from the local model." }
}

function asked(): readonly ServedRequest[] {
  return server.requests.filter(({ protocol, problem }) => protocol === "anthropic" && problem === undefined)
}

async function answersText(): Promise<void> {
  const before = asked().length
  const { code, result } = await world.json("run", "teller", "Say hello.", "--yes")
  const text = asked()[before]?.text ?? ""
  check("a text", code === 0 && result.output === "Hello from the local model.", {
    ...told(code, result),
    "instructions and task arrived": text.includes("You are the teller of a proof.\\n\\nSay hello."),
  })
}

async function usesItsTools(): Promise<void> {
  const { code, result } = await world.json("run", "maker", "Make a file.", "--yes")
  const made = path.join(world.work, "made.txt")
  check("its own tools", code === 0 && fs.existsSync(made), {
    ...told(code, result),
    "made.txt": fs.existsSync(made) ? fs.readFileSync(made, "utf8").trim() : "not there",
  })
}

async function handsInValue(): Promise<void> {
  const { code, result } = await world.json("run", "judge", "Judge it.", "--yes")
  check("a value", code === 0 && result.value?.good === true, { ...told(code, result), value: result.value })
}

async function takesLongPrompts(): Promise<void> {
  for (const length of [40_000, 1_000_000]) {
    const before = asked().length
    world.put("task.txt", `Say hello. ${"x".repeat(length)}`)
    const { code, result } = await world.json("run", "teller", "--file", "../task.txt", "--yes")
    const arrived = asked()[before]?.text.includes("x".repeat(length)) ?? false
    check(`a prompt of ${length} characters`, code === 0 && arrived, { ...told(code, result), arrived })
  }
}

/** In a workspace and a home that would have it offer, allow and run more. */
async function offersNoMore(): Promise<void> {
  temptIn(world)
  for (const { what, keys, permissions, expects } of offerings)
    for (const executor of ["claude", "loose"]) {
      configure(permissions)
      agent("offered", `executor: ${executor}\n${keys}`)
      const before = asked().length
      const { code, result } = await world.json("run", "offered", "Try everything.", "--yes")
      const offers = asked()
        .slice(before)
        .map(({ body }) => namesOf(body.tools))
      const problem = expects === "refusal" ? refusalProblem(offers, result) : offerProblem(offers, expects)
      const made = temptedIn(world, expects)
      check(
        `${what}, ${executor === "loose" ? "without the sandbox" : "in the sandbox"}`,
        !problem && made.length === 0,
        {
          ...(problem && { problem, code, result }),
          offered: offers[0] ?? [],
          ...(expects === "refusal" && { refused: result.error?.message }),
          "made by what it could not have": made,
        },
      )
    }
  configure()
}

async function isKilled(agent: "teller" | "loose"): Promise<void> {
  const before = asked().length
  const child = world.start("run", agent, "Never answer.", "--yes")
  while (asked().length === before) await setTimeout(50)
  const { result } = await world.json("runs")
  const { id } = result.runs.find(({ status }: { status: string }) => status === "open")
  const marked = () => findMarkedProcesses(markerName, `${id}:c1`)
  const processes = marked().length
  child.kill("SIGKILL")
  await once(child, "exit")
  const started = performance.now()
  while (marked().length > 0 && performance.now() - started < 5_000) await setTimeout(10)
  const took = Math.round(performance.now() - started)
  const left = marked().length
  const resumed = await world.json("resume", id, "--yes")
  const again = asked().length - before - 1
  const where = agent === "loose" ? "without the sandbox" : "in the sandbox"
  check(
    `killed in the middle, ${where}`,
    left === 0 && resumed.result.outcome.type === "uncertain" && again === 0,
    {
      "processes before the kill": processes,
      "left after it": `${left}, after ${took} ms`,
      "after resume": resumed.result.outcome,
      "exit code": resumed.code,
      "requests since": again,
      "processes since": marked().length,
    },
  )
}

function told(code: number | null, { outcome, output, evidence, usage }: Record<string, unknown>) {
  const refused = server.requests
    .filter(({ protocol }) => protocol === "anthropic")
    .flatMap(({ problem }) => problem ?? [])
  return {
    "exit code": code,
    outcome,
    output,
    commands: (evidence as { commands: unknown }).commands,
    usage: (usage as { own: unknown }).own,
    "requests refused by the server": refused,
  }
}

function check(what: string, holds: boolean, seen: Record<string, unknown>): void {
  if (!holds) failures++
  say(what, holds ? "holds" : "DOES NOT HOLD")
  for (const [name, value] of Object.entries(seen)) console.log(`    ${name}: ${JSON.stringify(value)}`)
}

function say(what: string, how: string): void {
  console.log(`${what}: ${how}`)
}
