import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import os from "node:os"
import path from "node:path"
import fc from "fast-check"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { putPipe } from "../../../test/file-kit.ts"
import { defineTool } from "../../agent/tool.ts"
import { createRuntime } from "../../assembly/create-runtime.ts"
import { scriptedModel } from "../../world/models/scripted.ts"
import { memoryStore } from "../../world/stores/memory.ts"
import { writeFixes } from "./fix.ts"
import { makeFixableAgent, planFixes } from "./plan-fixes.ts"
import { SubagentRegistry } from "./registry.ts"

let base: string
beforeEach(() => {
  base = mkdtempSync(path.join(os.tmpdir(), "cadre-registry-"))
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

const markdown = (name: string, more = "", body = "Do the work.") =>
  `---\nname: ${name}\ndescription: Does ${name} work.\n${more}---\n\n${body}\n`

function put(file: string, text: string): string {
  const full = path.join(base, file)
  mkdirSync(path.dirname(full), { recursive: true })
  writeFileSync(full, text)
  return full
}

function discover(cwd = "repo"): SubagentRegistry {
  mkdirSync(path.join(base, "repo/.git"), { recursive: true })
  mkdirSync(path.join(base, cwd), { recursive: true })
  const registry = new SubagentRegistry()
  registry.autoDiscover({
    cwd: path.join(base, cwd),
    home: path.join(base, "home"),
    userFolder: path.join(base, "home/.config/cadre"),
  })
  return registry
}

const states = (registry: SubagentRegistry) =>
  registry
    .entries()
    .map(({ candidate, state }) => [
      path.relative(base, candidate.file?.path ?? "code"),
      state.type === "shadowed" ? `shadowed by ${path.relative(base, state.by)}` : state.type,
    ])
    .sort()

describe("code", () => {
  test("registers, overwrites, gets, finds, counts, removes and clears", () => {
    const registry = new SubagentRegistry()
    registry.registerAll([
      { name: "b", description: "B.", instructions: "x" },
      { name: "a", instructions: "x" },
    ])
    registry.register({ name: "a", description: "A.", instructions: "again" })
    expect({
      names: registry.names(),
      count: registry.count,
      has: registry.has("a"),
      find: registry.find("nothing"),
      instructions: registry.get("a").instructions,
      descriptions: registry.descriptions(),
      removed: [registry.remove("b"), registry.remove("b")],
      left: registry.all().map(({ name }) => name),
    }).toEqual({
      names: ["a", "b"],
      count: 2,
      has: true,
      find: undefined,
      instructions: "again",
      descriptions: { a: "A.", b: "B." },
      removed: [true, false],
      left: ["a"],
    })
    registry.clear()
    expect(registry.count).toBe(0)
  })

  test("an unknown name lists those there are, the nearest first", () => {
    const registry = new SubagentRegistry()
    registry.registerAll([
      { name: "reviewer", instructions: "x" },
      { name: "tester", instructions: "x" },
    ])
    expect(() => registry.get("reviewr")).toThrow(
      /^Subagent 'reviewr' not found\. Available: reviewer, tester\. Did you mean "reviewer"\?$/,
    )
  })

  test("unknown tools are refused at registration, all at once", () => {
    const registry = new SubagentRegistry()
    expect(() =>
      registry.register({ name: "n", instructions: "x", tools: ["read", "fly"], disallowedTools: ["swim"] }, [
        "read",
        "write",
      ]),
    ).toThrow(
      /^Invalid subagent 'n':\nUnknown tool 'fly' in subagent 'n'\nUnknown tool 'swim' in subagent 'n'\n/,
    )
    expect(registry.count).toBe(0)
  })
})

describe("code and rules", () => {
  test("the tools of an agent in code are judged by the runtime that runs it", async () => {
    const registry = new SubagentRegistry()
    registry.register({ name: "x", instructions: "x", tools: ["lookup"] }, ["lookup"])
    registry.register({ name: "y", instructions: "y", tools: ["Agent", "lookup", "mcp__a__b"] })
    registry.register({ name: "z", instructions: "z", tools: ["nowhere"] })
    expect([registry.names(), registry.errors()]).toEqual([["x", "y", "z"], {}])
    const tools = ["lookup", "mcp__a__b"].map((name) =>
      defineTool({ name, description: name, effect: "read", input: { type: "object" }, execute: () => "ok" }),
    )
    const model = scriptedModel({ x: [{ text: "done" }], y: [{ text: "done" }] })
    const runtime = createRuntime({ agents: registry, tools, models: { model }, store: memoryStore() })
    expect((await runtime.run("y", "go").done).outcome).toEqual({ type: "completed" })
    await expect(runtime.run("z", "go").done).rejects.toMatchObject({
      code: "TOOL_UNKNOWN",
      message: expect.stringMatching(/^Agent "z".*"nowhere".*registered/),
    })
    await runtime.close()
  })

  test("another host's name for a known tool is known", () => {
    const registry = new SubagentRegistry()
    expect(registry.register({ name: "x", instructions: "x", tools: ["read_file"] }, ["Read"]).name).toBe("x")
  })

  test("an agent answers to its aliases, and a name of its own comes first", () => {
    const registry = new SubagentRegistry()
    registry.register({ name: "reviewer", aliases: ["critic", "tester"], instructions: "x" })
    registry.register({ name: "tester", instructions: "x" })
    expect(["critic", "tester", "nobody"].map((name) => registry.find(name)?.name)).toEqual([
      "reviewer",
      "tester",
      undefined,
    ])
  })

  test("the configuration cannot make an agent sound that is not", () => {
    put("agents/a.md", markdown("a", "allowed_tools: Read\n"))
    const registry = new SubagentRegistry({ levels: { "key-restricting": "off" } })
    registry.loadFromDirectory(path.join(base, "agents"))
    expect({ names: registry.names(), diagnostics: registry.diagnostics() }).toEqual({
      names: [],
      diagnostics: [],
    })
  })
})

describe("files", () => {
  test.each([
    ["nowhere.md", /cannot be read/],
    ["note.txt", /file ending.*--as FORMAT/],
  ])("loadFromFile of %s says what is wrong", (name, message) => {
    put("note.txt", "x")
    expect(() => new SubagentRegistry().loadFromFile(path.join(base, name))).toThrow(message)
  })

  test("what lies in a folder of agents and is not read is told", () => {
    put("repo/.claude/agents/a.markdown", markdown("a"))
    put("repo/.codex/agents/role.toml", "x = 1")
    put("repo/.codex/agents/deep/b.md", markdown("bcd"))
    mkdirSync(path.join(base, "repo/.git"), { recursive: true })
    symlinkSync("nothing.md", path.join(base, "repo/.claude/agents/link.md"))
    expect(
      discover()
        .diagnostics()
        .map(({ code, file }) => [code, path.relative(base, file!)])
        .sort(),
    ).toEqual([
      ["file-ignored", "repo/.claude/agents/a.markdown"],
      ["file-ignored", "repo/.claude/agents/link.md"],
      ["file-ignored", "repo/.codex/agents/deep"],
      ["format-later", "repo/.codex/agents/role.toml"],
    ])
  })

  test("a package that is hoisted above the one that needs it is found", () => {
    put("repo/packages/x/package.json", JSON.stringify({ dependencies: { kit: "1.0.0" } }))
    put("repo/node_modules/kit/package.json", JSON.stringify({ name: "kit", cadre: { agents: "agents" } }))
    put("repo/node_modules/kit/agents/guide.md", markdown("guide"))
    expect(discover("repo/packages/x").names()).toEqual(["guide"])
  })

  test("one bad file hides no other, and errors tell what is wrong with it", () => {
    put("agents/good.md", markdown("good"))
    put("agents/bad.md", "---\nname: [\n---\nx")
    put("agents/other.md", markdown("other"))
    const registry = new SubagentRegistry()
    registry.loadFromDirectory(path.join(base, "agents"))
    registry.loadFromDirectory(path.join(base, "nowhere"))
    expect(registry.names()).toEqual(["good", "other"])
    expect(Object.keys(registry.errors())).toEqual([path.join(base, "agents/bad.md")])
  })

  test("a folder below is read only when asked for", () => {
    put("agents/a.md", markdown("a"))
    put("agents/deep/b.md", markdown("b"))
    put("agents/node_modules/c.md", markdown("c"))
    put("agents/.hidden/d.md", markdown("d"))
    put("agents/repo/.git/config", "")
    put("agents/repo/e.md", markdown("e"))
    const flat = new SubagentRegistry()
    flat.loadFromDirectory(path.join(base, "agents"))
    const nested = new SubagentRegistry()
    nested.loadFromDirectory(path.join(base, "agents"), { recursive: true })
    // 125: packages, hidden folders and repositories inside belong to others.
    expect({ flat: flat.names(), nested: nested.names() }).toEqual({ flat: ["a"], nested: ["a", "b"] })
  })

  test("a file that gives no sound agent throws when it is asked for by itself", () => {
    const registry = new SubagentRegistry()
    expect(registry.loadFromFile(put(".claude/agents/a.md", markdown("a"))).name).toBe("a")
    expect(() => registry.loadFromFile(put("b.md", "no front matter"))).toThrow(
      /no YAML frontmatter block found/,
    )
    expect(() => registry.loadFromFile(put(".claude/agents/c.md", markdown("c", "tools: Raed\n")))).toThrow(
      /Raed/,
    )
  })

  test("project over user over built-in, the nearer folder first, and every loser says so", () => {
    put("home/.claude/agents/a.md", markdown("a"))
    put("repo/.claude/agents/a.md", markdown("a"))
    put("repo/packages/x/.claude/agents/a.md", markdown("a"))
    put("home/.codex/agents/abc.md", markdown("abc"))
    put("repo/.cadre/agents/b.md", markdown("b"))
    put("repo/.claude/agents/b.md", markdown("b"))
    expect(states(discover("repo/packages/x"))).toEqual([
      ["home/.claude/agents/a.md", "shadowed by repo/packages/x/.claude/agents/a.md"],
      ["home/.codex/agents/abc.md", "active"],
      ["repo/.cadre/agents/b.md", "active"],
      ["repo/.claude/agents/a.md", "shadowed by repo/packages/x/.claude/agents/a.md"],
      ["repo/.claude/agents/b.md", "shadowed by repo/.cadre/agents/b.md"],
      ["repo/packages/x/.claude/agents/a.md", "active"],
    ])
  })

  describe("a broken definition is what its name means: nothing below takes its place", () => {
    const withKeys = (keys: string) => markdown("a", keys)
    test.each([
      ["a value of a wrong type", ".claude/agents/a.md", withKeys("tools: 5\n")],
      ["a list that is not closed", ".claude/agents/a.md", withKeys("disallowedTools: [Bash\n")],
      ["a key that would narrow it", ".claude/agents/a.md", withKeys("disallowedTool: Bash\n")],
      ["hooks that are none", ".claude/agents/a.md", withKeys("hooks: nope\n")],
      ["a key twice", ".claude/agents/a.md", withKeys("hooks: {}\nhooks: {}\n")],
      ["a tool that is not there", ".claude/agents/a.md", withKeys("tools: Raed\n")],
      ["its name twice", ".claude/agents/x.md", markdown("a", "name: b\n")],
      ["its name twice, the other way round", ".claude/agents/x.md", markdown("b", "name: a\n")],
      ["front matter without an end", ".claude/agents/x.md", "---\nname: a\ndescription: d\n\nDo it.\n"],
      ["front matter without a beginning", ".claude/agents/x.md", "name: a\ntools: Read\n---\n\nDo it.\n"],
      ["a name that is no key", ".claude/agents/x.md", "---\nName: a\ndescription: d\n---\n\nDo it.\n"],
      ["nothing in it", ".claude/agents/a.md", ""],
      ["no name", ".claude/agents/a.md", "---\ndescription: d\ntools: Read\n---\n\nDo it.\n"],
      ["no instructions", ".codex/agents/a.md", "---\nname: a\ndescription: d\n---\n"],
      ["no text", ".cadre/agents/a.md", "---\ndescription: d\0\n---\n\nDo it.\n"],
      ["no YAML", ".cadre/agents/a.yaml", "description: [\n"],
      ["no YAML, and a name", ".cadre/agents/x.yaml", "name: a # ours\ntools: [\n"],
      ["no JSON", ".cadre/agents/a.json", '{"description": "d",'],
      ["no JSON, and a name", ".cadre/agents/x.json", '{"output": {"name": "n"}, "name": "a", "tools": ['],
      ["an alias of a broken one", ".cadre/agents/x.md", markdown("x", "aliases: [a]\ntools: 5\n")],
    ])("%s", (_, file, text) => {
      put("home/.claude/agents/a.md", markdown("a"))
      put("home/.claude/agents/x-like.md", markdown("n"))
      put("repo/.claude/agents/other.md", markdown("other"))
      put(`repo/${file}`, text)
      const registry = discover()
      const isAlias = text.includes("aliases")
      // The user wrote an agent of that name, which overrides the alias of another agent.
      expect(registry.find("a")?.origin.scope).toBe(isAlias ? "user" : undefined)
      if (!isAlias) {
        expect(() => registry.get("a")).toThrow(/^Subagent 'a' is broken: [\s\S]*repo[\s\S]*\d+:\d+\)/)
        expect(states(registry)).toContainEqual(["home/.claude/agents/a.md", `shadowed by repo/${file}`])
      }
      expect(registry.names()).toEqual([...(isAlias ? ["a"] : []), "n", "other"])
    })

    test("one of a lower scope does not claim what a sound one above it has", () => {
      put("home/.claude/agents/a.md", markdown("a", "tools: 5\n"))
      put("home/.codex/agents/a.md", "")
      put("repo/.claude/agents/a.md", markdown("a"))
      expect(discover().get("a").origin.scope).toBe("project")
    })

    test("nor does a broken one that comes after a sound one in its scope", () => {
      put("repo/.cadre/agents/a.md", markdown("a"))
      put("repo/.claude/agents/a.md", markdown("a", "tools: 5\n"))
      expect(discover().get("a").origin.format).toBe("cadre")
      put("repo/.cadre/agents/a.md", markdown("a", "tools: 5\n"))
      put("repo/.claude/agents/a.md", markdown("a"))
      expect(discover().find("a")).toBeUndefined()
    })

    test("another agent's alias does not take its place either", () => {
      put("repo/.claude/agents/a.md", markdown("a", "tools: 5\n"))
      put("repo/.cadre/agents/b.md", markdown("b", "aliases: [a]\n"))
      const registry = discover()
      expect(registry.find("a")).toBeUndefined()
      expect(() => registry.get("a")).toThrow(/^Subagent 'a' is broken: `tools` must be/)
    })

    test("a link out of the project claims the name of its file", () => {
      put("elsewhere/a.md", markdown("a", "tools: Read\n"))
      put("home/.claude/agents/a.md", markdown("a"))
      put("repo/.claude/agents/b.md", markdown("b"))
      symlinkSync(path.join(base, "elsewhere/a.md"), path.join(base, "repo/.claude/agents/a.md"))
      const registry = discover()
      expect(registry.names()).toEqual(["b"])
      expect(() => registry.get("a")).toThrow(/^Subagent 'a' is broken: /)
    })

    test("a page about the folder and another tool's file claim nothing", () => {
      put("home/.claude/agents/readme.md", markdown("README"))
      put("home/.claude/agents/x.md", markdown("x"))
      put("repo/.claude/agents/README.md", "# Our agents\n")
      put("repo/.claude/agents/x.toml", 'developer_instructions = "x"\n')
      expect(discover().names()).toEqual(["README", "x"])
    })

    test("agents that name it still run, and are told", () => {
      put("repo/.claude/agents/a.md", markdown("a", "tools: 5\n"))
      put("repo/.claude/agents/lead.md", markdown("lead", "tools: Read, Agent(a)\n"))
      const registry = discover()
      expect(registry.names()).toEqual(["lead"])
      expect(registry.diagnostics().map(({ severity, message }) => `${severity} ${message}`)).toContainEqual(
        expect.stringMatching(/^warning The agent `a` is broken \(.*a\.md\).*call.*fail/),
      )
    })
  })

  test("123: one name twice in a folder is settled by path and reported, whatever order the disk has", () => {
    put("repo/.claude/agents/z.md", markdown("a"))
    put("repo/.claude/agents/b.md", markdown("a"))
    put("repo/.claude/agents/c.md", markdown("A"))
    const registry = discover()
    expect(states(registry)).toEqual([
      ["repo/.claude/agents/b.md", "active"],
      ["repo/.claude/agents/c.md", "active"],
      ["repo/.claude/agents/z.md", "shadowed by repo/.claude/agents/b.md"],
    ])
    expect(registry.diagnostics().map(({ code, file }) => [path.basename(file!), code])).toEqual([
      ["b.md", "name-collision"],
      ["b.md", "name-variant"],
      ["c.md", "name-variant"],
      ["z.md", "name-collision"],
      ["z.md", "name-variant"],
    ])
  })

  test("the home folder is never a project, and outside a repository only the working directory is", () => {
    put("home/.claude/agents/a.md", markdown("a"))
    put("plain/.claude/agents/b.md", markdown("b"))
    put("plain/deep/.claude/agents/c.md", markdown("c"))
    expect(states(discover("home"))).toEqual([["home/.claude/agents/a.md", "active"]])
    expect(states(discover("plain/deep"))).toEqual([
      ["home/.claude/agents/a.md", "active"],
      ["plain/deep/.claude/agents/c.md", "active"],
    ])
  })

  test("the home folder is no project either where it is known by a link and is a repository", () => {
    put("disk/ada/.git/HEAD", "")
    put("disk/ada/.claude/agents/a.md", markdown("a"))
    symlinkSync(path.join(base, "disk/ada"), path.join(base, "home"))
    expect(states(discover("disk/ada/x"))).toEqual([["home/.claude/agents/a.md", "active"]])
  })

  test("124: links that lead out of the project are not followed, and links that go round end", () => {
    put("secret/passwd.md", markdown("secret"))
    put("repo/shared/linked.md", markdown("linked"))
    put("repo/.claude/agents/a.md", markdown("a"))
    symlinkSync(path.join(base, "secret/passwd.md"), path.join(base, "repo/.claude/agents/out.md"))
    symlinkSync(path.join(base, "secret"), path.join(base, "repo/.claude/agents/folder"))
    symlinkSync(path.join(base, "repo/shared/linked.md"), path.join(base, "repo/.claude/agents/in.md"))
    symlinkSync(path.join(base, "repo/.claude/agents"), path.join(base, "repo/.claude/agents/round"))
    symlinkSync("loop.md", path.join(base, "repo/.claude/agents/loop.md"))
    const registry = discover()
    expect(registry.names()).toEqual(["a", "linked"])
    expect(
      registry
        .diagnostics()
        .filter(({ code }) => code === "link-outside")
        .map(({ file }) => path.basename(file!))
        .sort(),
    ).toEqual(["folder", "out.md"])
  })

  test("126: a pipe is refused and not waited for", () => {
    put("repo/.claude/agents/a.md", markdown("a"))
    putPipe(path.join(base, "repo/.claude/agents/pipe.md"))
    const registry = discover()
    expect(registry.names()).toEqual(["a"])
    expect(registry.diagnostics().map(({ code }) => code)).toEqual(["file-special"])
  })

  test("packages that the project depends on bring their agents", () => {
    put("repo/package.json", JSON.stringify({ dependencies: { kit: "1.0.0", "@scope/none": "1.0.0" } }))
    put("repo/node_modules/kit/package.json", JSON.stringify({ name: "kit", cadre: { agents: "agents" } }))
    put("repo/node_modules/kit/agents/helper.md", markdown("helper"))
    const registry = discover()
    expect(registry.entries().map(({ candidate }) => [candidate.agent.name, candidate.scope])).toEqual([
      ["helper", "package"],
    ])
  })
})

describe("reload", () => {
  test("sees edits, additions and deletions, and keeps the agent of a file that was only touched", () => {
    const file = put("agents/a.md", markdown("a"))
    put("agents/b.md", markdown("b"))
    const registry = new SubagentRegistry()
    registry.loadFromDirectory(path.join(base, "agents"))
    const before = registry.get("a")
    utimesSync(file, new Date(), new Date())
    expect(registry.reload()).toEqual({ added: [], changed: [], removed: [] })
    expect(registry.get("a")).toBe(before)
    put("agents/a.md", markdown("a", "", "Something else."))
    put("agents/c.md", markdown("c"))
    rmSync(path.join(base, "agents/b.md"))
    expect(registry.reload()).toEqual({
      added: [path.join(base, "agents/c.md")],
      changed: [file],
      removed: [path.join(base, "agents/b.md")],
    })
    expect(registry.names()).toEqual(["a", "c"])
    // The next run uses the edited file; an agent that was returned before stays unchanged.
    expect([before.instructions, registry.get("a").instructions]).toEqual(["Do the work.", "Something else."])
  })

  test("after any edits, also of equal size and time, it equals a fresh load", () => {
    const name = fc.constantFrom("a", "b", "c", "d")
    const body = fc.constantFrom("one", "two", "six")
    const step = fc.oneof(
      fc.record({ type: fc.constant("write" as const), name, body }),
      fc.record({ type: fc.constant("same-time" as const), name, body }),
      fc.record({ type: fc.constant("replace" as const), name, body }),
      fc.record({ type: fc.constant("delete" as const), name }),
      fc.record({ type: fc.constant("rename" as const), name, to: name }),
      fc.record({ type: fc.constant("reload" as const) }),
    )
    fc.assert(
      fc.property(fc.array(step, { minLength: 3, maxLength: 12 }), (steps) => {
        const folder = mkdtempSync(path.join(base, "run-"))
        const at = (name: string) => path.join(folder, `${name}.md`)
        const registry = new SubagentRegistry()
        registry.loadFromDirectory(folder)
        for (const step of steps)
          switch (step.type) {
            case "write":
              writeFileSync(at(step.name), markdown(step.name, "", step.body))
              break
            case "same-time": {
              const before = statSync(at(step.name), { throwIfNoEntry: false })
              writeFileSync(at(step.name), markdown(step.name, "", step.body))
              if (before) utimesSync(at(step.name), before.atimeMs / 1000, before.mtimeMs / 1000)
              break
            }
            case "replace": {
              const before = statSync(at(step.name), { throwIfNoEntry: false })
              writeFileSync(`${at(step.name)}.tmp`, markdown(step.name, "", step.body))
              if (before) utimesSync(`${at(step.name)}.tmp`, before.atimeMs / 1000, before.mtimeMs / 1000)
              renameSync(`${at(step.name)}.tmp`, at(step.name))
              break
            }
            case "delete":
              rmSync(at(step.name), { force: true })
              break
            case "rename":
              if (statSync(at(step.name), { throwIfNoEntry: false })) renameSync(at(step.name), at(step.to))
              break
            case "reload":
              registry.reload()
          }
        registry.reload()
        const fresh = new SubagentRegistry()
        fresh.loadFromDirectory(folder)
        expect(registry.all()).toEqual(fresh.all())
        expect(registry.diagnostics()).toEqual(fresh.diagnostics())
      }),
      { numRuns: 60 },
    )
  })

  test("a file that cannot be read is not a change each time it is looked at", () => {
    put("agents/a.md", "x")
    writeFileSync(path.join(base, "agents/a.md"), Buffer.from([0x6e, 0xff, 0xfe]))
    const registry = new SubagentRegistry()
    registry.loadFromDirectory(path.join(base, "agents"))
    expect([registry.reload(), registry.reload()]).toEqual([
      { added: [], changed: [], removed: [] },
      { added: [], changed: [], removed: [] },
    ])
  })

  test("a script that a definition names and that comes later is seen", () => {
    const definition = `name: lint\nmodel: /models/x.gguf\ninitial_context:\n  system_prompt: Lint.\n  node_context: "{{ node_text }}"\ntools:\n  - name: submit_result\n    pym: submit.pym\n    description: Ends.\n    parameters: {type: object, additionalProperties: false, properties: {}}\n`
    put("repo/agents/lint_subagent.yaml", definition)
    const registry = discover()
    const missing = () =>
      registry.diagnostics().filter(({ message }) => message.includes("submit.pym")).length
    const before = missing()
    put("repo/agents/submit.pym", "x")
    registry.reload()
    expect([before, missing()]).toEqual([1, 0])
  })

  test("watch tells of changes, of a folder that was not there too", async () => {
    const registry = new SubagentRegistry()
    registry.loadFromDirectory(path.join(base, "later"))
    const seen = new Promise<readonly string[]>((resolve) => {
      const watching = registry.watch(
        ({ added }) => {
          watching.close()
          resolve(added.map((file) => path.basename(file)))
        },
        { debounce: 20 },
      )
    })
    put("later/a.md", markdown("a"))
    expect(await seen).toEqual(["a.md"])
    expect(registry.names()).toEqual(["a"])
  })
})

describe("hostile folders", () => {
  test("a definition folder that is itself a link out of the project is not followed", () => {
    put("out/y.md", markdown("y"))
    mkdirSync(path.join(base, "repo/.claude"), { recursive: true })
    symlinkSync(path.join(base, "out"), path.join(base, "repo/.claude/agents"))
    const registry = discover()
    expect(registry.names()).toEqual([])
    expect(registry.diagnostics().map(({ code }) => code)).toEqual(["link-outside"])
  })

  test("a fix is never written through a link that lies in its way, and keeps a file that would get worse", () => {
    const file = put("agents/a.md", "---\nname: a\ndescription: Use: this\n---\n\nWork.\n")
    put("victim", "mine")
    for (const suffix of [".tmp", `.${process.pid}.tmp`])
      symlinkSync(path.join(base, "victim"), `${file}${suffix}`)
    const registry = new SubagentRegistry()
    registry.loadFromDirectory(path.join(base, "agents"))
    const plan = planFixes(registry.files().map(makeFixableAgent), registry.diagnostics(), () => undefined)
    expect(writeFixes(plan)).toEqual({ changed: [file], failed: new Map() })
    expect(readFileSync(path.join(base, "victim"), "utf8")).toBe("mine")
    expect(lstatSync(file).isFile()).toBe(true)
  })

  test("a description of a plugin or package that is a device or a pipe is not read", () => {
    mkdirSync(path.join(base, "repo/.claude/.claude-plugin"), { recursive: true })
    symlinkSync("/dev/zero", path.join(base, "repo/.claude/.claude-plugin/plugin.json"))
    putPipe(path.join(base, "repo/package.json"))
    put("repo/.claude/agents/a.md", markdown("a"))
    expect(discover().count).toBe(1)
  })

  test("a plugin cannot put control characters into names", () => {
    put("plug/.claude-plugin/plugin.json", JSON.stringify({ name: "p\u001b[31m\nroot" }))
    put("plug/agents/a.md", markdown("a"))
    const registry = new SubagentRegistry()
    registry.loadFromPath(path.join(base, "plug"))
    expect(registry.names()).toEqual(["plug:a"])
  })

  test("a file that becomes a link out of the project is no longer used", () => {
    const file = put("repo/.claude/agents/a.md", markdown("a"))
    const registry = discover()
    put("elsewhere.md", markdown("a"))
    rmSync(file)
    symlinkSync(path.join(base, "elsewhere.md"), file)
    expect(registry.reload().changed).toEqual([file])
    expect(registry.names()).toEqual([])
  })

  test.each([
    ["more tools", "tools: Read, Bash\n", "tools: Read\n"],
    ["any tool over a denial", "tools: '*'\n", "disallowedTools: Write\n"],
    ["a bypass", "tools: Read\npermissionMode: bypassPermissions\n", "tools: Read\n"],
    ["hooks", "tools: Read\nhooks: {Stop: []}\n", "tools: Read\n"],
  ])("123: an agent of the project with %s does not silently take the user's place", (_, project, user) => {
    put("repo/.claude/agents/a.md", markdown("a", project))
    put("home/.claude/agents/a.md", markdown("a", user))
    expect(
      discover()
        .diagnostics()
        .map(({ code }) => code),
    ).toContain("scope-shadows-rights")
  })

  test("122: names with invisible characters are refused", () => {
    for (const [index, name] of ["reviewer\u034f", "\u3164", "a\u200bb"].entries())
      put(`repo/.claude/agents/${index}.md`, markdown(`"${name}"`))
    const registry = discover()
    expect(registry.names()).toEqual([])
    expect(registry.diagnostics().map(({ code }) => code)).toEqual([
      "name-unsafe",
      "name-unsafe",
      "name-unsafe",
    ])
  })
})
