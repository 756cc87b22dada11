import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { type AgentInput, defineAgent } from "../../src/agent/agent.ts"
import { createRuntime, type RuntimeOptions } from "../../src/assembly/create-runtime.ts"
import type { RunEvent } from "../../src/run/log/event.ts"
import { scriptedModel } from "../../src/world/models/scripted.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { tool } from "../kit.ts"

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "cadre-decided-"))
afterAll(() => fs.rmSync(folder, { recursive: true }))

type Options = Omit<RuntimeOptions, "agents">

/** The causes of the decisions about the one call of `write`: at its start, at its question and at its end. */
async function decided(agent: Partial<AgentInput>, options: Options = {}, decision?: "allow" | "deny") {
  const store = memoryStore()
  const runtime = createRuntime({
    store,
    tools: [tool("write", () => "written", { effect: "idempotent" }), tool("look")],
    agents: [defineAgent({ name: "a", instructions: "Work.", ...agent })],
    models: { m: scriptedModel({ a: [{ calls: [{ tool: "write" }] }, { text: "done" }] }) },
    ...options,
  })
  let { run, status } = await runtime.run("a", "Go.").done
  if (status === "resting" && decision) {
    await runtime.approve(run, "c1", decision, "by me")
    ;({ run, status } = await runtime.resume(run).done)
  }
  const events: RunEvent[] = []
  for await (const event of store.read(run)) events.push(event as unknown as RunEvent)
  const { proof } = await runtime.read(run)
  await runtime.close()
  const by = (type: RunEvent["type"]) =>
    events.flatMap((event) => (event.type === type && "by" in event ? [event.by] : []))
  return {
    ask: by("approval-start"),
    start: by("tool-start"),
    end: by("tool-end"),
    denied: proof.denied.map((one) => one.by),
  }
}

let files = 0

/** A configuration that was read from this text. `configN.yaml` has the lines. */
function configured(lines: readonly string[], fields: object): Options {
  const file = path.join(folder, `config${++files}.yaml`)
  fs.writeFileSync(file, `${lines.join("\n")}\n`)
  return { configuration: { files: [file], subagents: {}, ...fields } as never }
}

const nothing = { ask: [], start: [], end: [], denied: [] }
const never = (by: object) => ({ ...nothing, end: [by], denied: [by] })

test("a rule is told as it is written, for each folder that it is written for", async () => {
  const store = memoryStore()
  fs.mkdirSync(path.join(folder, "x"), { recursive: true })
  const changing = (name: string, file: string) => ({
    ...tool(name),
    accesses: () => [{ type: "write" as const, path: path.join(folder, file) }],
  })
  const runtime = createRuntime({
    store,
    tools: [changing("write", "x/a"), changing("again", "x/b"), tool("Edit")],
    agents: [
      defineAgent({
        name: "a",
        instructions: "Work.",
        rules: ["Edit(x/a)", "Edit(./a)", "Edit(x/b)"].map((rule) => ({
          tool: rule,
          decision: "deny" as const,
        })),
      }),
    ],
    models: {
      m: scriptedModel({ a: [{ calls: [{ tool: "write" }, { tool: "again" }] }, { text: "done" }] }),
    },
  })
  const told = async (cwd: string) => {
    const { proof } = await runtime.run("a", "Go.", { cwd }).done
    return proof.denied.map(({ by }) => (by as { readonly rule?: string }).rule)
  }
  expect(await told(folder)).toEqual(["Edit(x/a)", "Edit(x/b)"])
  expect(await told(path.join(folder, "x"))).toEqual(["Edit(./a)"])
  await runtime.close()
})

describe("the cause of a decision is recorded with the call", () => {
  test.each<[string, Partial<AgentInput>, Options, "allow" | "deny" | undefined, object]>([
    ["no rule", {}, {}, undefined, { ...nothing, start: [{ type: "default" }] }],
    [
      "a rule of its definition that denies",
      { rules: [{ tool: "wri*", decision: "deny" }] },
      {},
      undefined,
      never({ type: "rule", of: 'agent "a"', agent: "a", rule: "wri*" }),
    ],
    [
      "a rule of the configuration that took the tool away, with its line",
      { tools: ["write", "look"] },
      configured(["permissions:", "  deny:", "    - write"], { permissions: { deny: ["write"] } }),
      undefined,
      never({ type: "rule", of: "the configuration", rule: "write", at: `${folder}/config1.yaml:3` }),
    ],
    [
      "a rule of the configuration that allows, with its line",
      {},
      {
        ...configured(["permissions:", "  allow: [look, write]"], {
          permissions: { allow: ["look", "write"] },
        }),
        mode: { type: "default", root: folder },
      },
      undefined,
      {
        ...nothing,
        start: [{ type: "rule", of: "the configuration", rule: "write", at: `${folder}/config2.yaml:2` }],
      },
    ],
    [
      "a mode that allows everything",
      {},
      { mode: { type: "bypass", root: folder } },
      undefined,
      { ...nothing, start: [{ type: "mode", mode: "bypass" }] },
    ],
    ["a list of tools that does not have it", { tools: ["look"] }, {}, undefined, never({ type: "tools" })],
    [
      "a hook",
      {},
      { hooks: [{ name: "careful", judge: () => ({ type: "block", reason: "no" }) }] } as never,
      undefined,
      never({ type: "hook", hook: "careful" }),
    ],
    [
      "a rule that asks, and a person who approves",
      { rules: [{ tool: "write", decision: "ask" }] },
      {},
      "allow",
      {
        ...nothing,
        ask: [{ type: "rule", of: 'agent "a"', agent: "a", rule: "write" }],
        start: [{ type: "person", note: "by me" }],
      },
    ],
    [
      "a mode that asks, and a person who denies",
      {},
      { mode: { type: "default", root: folder } },
      "deny",
      {
        ...nothing,
        ask: [{ type: "mode", mode: "default" }],
        end: [{ type: "person", note: "by me" }],
        denied: [{ type: "person", note: "by me" }],
      },
    ],
  ])("%s", async (_, agent, options, decision, expected) => {
    expect(await decided(agent, options, decision)).toEqual(expected)
  })
})
