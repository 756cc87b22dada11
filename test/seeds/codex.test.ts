/** What Codex's subagents (001) must do here: the first three rows, about files, of its acceptance list. */
import fs from "node:fs"
import path from "node:path"
import { describe, expect, test } from "vitest"
import { SubagentRegistry } from "../../src/files.ts"
import { createRuntime, type ModelRequest, memoryStore, scriptedModel } from "../../src/index.ts"
import { put, temporaryFolder } from "../file-kit.ts"
import { markdown, readFolder } from "./kit.ts"

describe("001 row 1: validation, BOM and CRLF, trimmed body, ignored keys", () => {
  const invalidName = (name: string) =>
    `invalid agent name \`${name}\`: name must start with a lowercase letter, include only lowercase letters, digits, hyphen, or underscore, and be 3-64 characters long`
  test.each([
    ["no front matter", "Just text.", "no YAML frontmatter block found"],
    ["front matter without an end", "---\nname: abc\n", "no YAML frontmatter block found"],
    ["YAML that is none", markdown("name: [abc"), "failed to parse YAML frontmatter: "],
    ["a list for a map", markdown("- name"), "failed to parse YAML frontmatter: "],
    ["no name", markdown("description: x"), "missing required field: name"],
    ["a short name", markdown("name: ab"), invalidName("ab")],
    ["a long name", markdown(`name: ${"a".repeat(65)}`), invalidName("a".repeat(65))],
    ["upper case", markdown("name: Abc"), invalidName("Abc")],
    ["a digit first", markdown("name: 1abc"), invalidName("1abc")],
    ["no body", "---\nname: abc\n---", "missing required field: instructions"],
    ["a blank body", markdown("name: abc", " \n "), "missing required field: instructions"],
    [
      "a blank provider",
      markdown("name: abc\nmodel_config: {provider: ' '}"),
      "model_config.provider must be a non-empty string when set",
    ],
    [
      "a blank endpoint",
      markdown("name: abc\nmodel_config: {endpoint: ''}"),
      "model_config.endpoint must be a non-empty string when set",
    ],
    [
      "a blank parameter",
      markdown("name: abc\nmodel_config: {parameters: {' ': 1}}"),
      "model_config.parameters keys must be non-empty strings",
    ],
    [
      "two models",
      markdown("name: abc\nmodel: a\nmodel_config: {model: b}"),
      "model `a` conflicts with model_config.model `b`",
    ],
    ["a blank tool", markdown("name: abc\ntools: [Read, ' ']"), "tools must be non-empty strings"],
    ["a tool twice", markdown("name: abc\ntools: [Read, ' Read']"), "duplicate tool entry `Read`"],
    ["a blank keyword", markdown("name: abc\nkeywords: ['']"), "keywords must be non-empty strings"],
    ["a keyword twice", markdown("name: abc\nkeywords: [b, b]"), "duplicate keyword entry `b`"],
  ])("%s", (_, text, message) => {
    const { registry, errors } = readFolder("codex-md", { "any.md": text })
    expect(errors["any.md"]?.slice(0, message.length)).toBe(message)
    expect(registry.names()).toEqual([])
  })

  test.each([
    ["a BOM", `\uFEFF${markdown("name: abc")}`],
    ["CRLF", markdown("name: abc").replaceAll("\n", "\r\n")],
    ["blank lines around the body", markdown("name: abc", "\n\nDo the work.\n\n")],
    ["an unknown key", markdown("name: abc\nmood: calm")],
    ["another file's name, and the other ending", markdown("name: abc")],
  ])("%s is taken", (_, text) => {
    const { registry, errors } = readFolder("codex-md", { "else.markdown": text })
    expect([errors, registry.get("abc").instructions]).toEqual([{}, "Do the work."])
  })

  // Architecture, "lists": a comma string and a YAML list are the same thing; Codex fails to parse the former.
  test("tools with commas are a list, as in every format", () => {
    const { registry } = readFolder("codex-md", { "a.md": markdown("name: abc\ntools: Read, Grep") })
    expect(registry.get("abc").tools).toEqual({ mode: "list", allow: ["Read", "Grep"], deny: [] })
  })
})

describe("001 row 2: project over user, broken files, reload", () => {
  const discovered = (files: Readonly<Record<string, string>>) => {
    const base = temporaryFolder({ "repo/.git/HEAD": "", ...files })
    const registry = new SubagentRegistry()
    registry.autoDiscover({ cwd: `${base}/repo`, home: `${base}/home`, userFolder: `${base}/home/.config` })
    return { base, registry }
  }
  const project = "repo/.codex/agents/abc.md"
  const user = "home/.codex/agents/abc.md"

  test("the project's agent of a name takes the place of the user's", () => {
    const { registry } = discovered({
      [project]: markdown("name: abc", "Project."),
      [user]: markdown("name: abc", "User."),
    })
    expect(registry.all().map(({ name, instructions }) => [name, instructions])).toEqual([
      ["abc", "Project."],
    ])
  })

  // What the project says of the name is not known, so nobody else is run by it.
  test("a broken project file is listed, keeps its name, and leaves every other agent active", () => {
    const { base, registry } = discovered({
      [project]: markdown("name: abc\nmodel: a\nmodel_config: {model: b}", "Project."),
      "repo/.codex/agents/other.md": markdown("name: other"),
      [user]: markdown("name: abc", "User."),
    })
    expect({
      agents: registry.all().map(({ name, instructions }) => [name, instructions]),
      errors: Object.keys(registry.errors()),
    }).toEqual({
      agents: [["other", "Do the work."]],
      errors: [`${base}/${project}`],
    })
  })

  // Codex gives up the whole reload here; the architecture: "one bad file never hides another".
  test("a file that is no UTF-8 is listed like any other that is wrong", () => {
    const base = temporaryFolder({
      "a.md": Buffer.from("---\nname: abc\n---\n\xff\xfe", "latin1"),
      "b.md": markdown("name: other"),
    })
    const registry = new SubagentRegistry()
    registry.loadFromDirectory(base, { format: "codex-md" })
    expect([registry.names(), Object.keys(registry.errors())]).toEqual([["other"], [`${base}/a.md`]])
  })

  test("a reload leaves what is unchanged as it is, and sees edits of any size, additions and deletions", () => {
    const gone = "home/.codex/agents/gone.md"
    const { base, registry } = discovered({
      [user]: markdown("name: abc", "One."),
      [gone]: markdown("name: gone"),
    })
    const before = registry.get("abc")
    const nothing = registry.reload()
    const isSame = registry.get("abc") === before
    put(base, { [user]: markdown("name: abc", "Two."), "repo/.codex/agents/new.md": markdown("name: new") })
    fs.rmSync(path.join(base, gone))
    const changes = registry.reload()
    expect({
      nothing,
      isSame,
      changes,
      agents: registry.all().map(({ name, instructions }) => [name, instructions]),
    }).toEqual({
      nothing: { added: [], changed: [], removed: [] },
      isSame: true,
      changes: {
        added: [`${base}/repo/.codex/agents/new.md`],
        changed: [`${base}/${user}`],
        removed: [`${base}/${gone}`],
      },
      agents: [
        ["abc", "Two."],
        ["new", "Do the work."],
      ],
    })
  })
})

describe("001 row 3: model and model_config", () => {
  test.each([
    ["nothing", "", undefined],
    ["a model", "model: a", "a"],
    ["a blank model", "model: ' '", undefined],
    ["only in model_config", "model_config: {model: a}", "a"],
    ["the same in both", "model: a\nmodel_config: {model: a}", "a"],
    ["a provider", "model_config: {provider: p}", { provider: "p" }],
    ["a model and a provider", "model: a\nmodel_config: {provider: p}", { provider: "p", model: "a" }],
    [
      "all of it",
      "model_config: {provider: p, model: a, endpoint: 'http://x', parameters: {' t ': 1}}",
      { provider: "p", model: "a", endpoint: "http://x", parameters: { t: 1 } },
    ],
  ])("%s", (_, yaml, model) => {
    const { registry } = readFolder("codex-md", { "a.md": markdown(`name: abc\n${yaml}`) })
    expect(registry.get("abc").model).toEqual(model)
  })

  test("what a child overrides is the child's alone", async () => {
    const { registry } = readFolder("codex-md", {
      "lead.md": markdown("name: lead\ntools: [Agent]"),
      "worker.md": markdown(
        "name: worker\nmodel_config: {model: small, parameters: {temperature: 0}}\ntools: []",
      ),
    })
    const asked: [string, string, unknown][] = []
    const named = (id: string, script: Parameters<typeof scriptedModel>[0]) => ({
      ...scriptedModel(script, id),
      stream(request: ModelRequest, onDelta: never) {
        asked.push([request.agent, id, request.parameters])
        return scriptedModel(script, id).stream(request, onDelta)
      },
    })
    const runtime = createRuntime({
      agents: registry,
      store: memoryStore(),
      models: {
        big: named("big", {
          lead: [{ calls: [{ tool: "Agent", input: { agent: "worker", prompt: "x" } }] }, { text: "done" }],
        }),
        small: named("small", { worker: [{ text: "worked" }] }),
      },
    })
    await runtime.run("lead", "go").done
    expect(asked).toEqual([
      ["lead", "big", undefined],
      ["worker", "small", { temperature: 0 }],
      ["lead", "big", undefined],
    ])
  })

  // Architecture, "model that cannot be resolved": provider, model and endpoint stay the parent's together; Codex takes half.
  test("an unknown provider keeps the parent's model whole, with a warning", async () => {
    const { registry } = readFolder("codex-md", {
      "a.md": markdown("name: abc\nmodel_config: {provider: nowhere, model: m}\ntools: []"),
    })
    const runtime = createRuntime({
      agents: registry,
      store: memoryStore(),
      models: { parent: scriptedModel({ abc: [{ text: "done" }] }, "parent") },
    })
    const { proof } = await runtime.run("abc", "go").done
    expect([proof.model.resolved, proof.warnings]).toEqual(["parent", [expect.stringContaining("nowhere")]])
  })
})
