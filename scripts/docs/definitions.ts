import { configurationKeys } from "../../src/definitions/configuration/keys.ts"
import type { Field } from "../../src/definitions/formats/fields/field.ts"
import type { Format } from "../../src/definitions/formats/format.ts"
import { formats } from "../../src/definitions/formats/index.ts"
import { describeField } from "../../src/definitions/formats/schema.ts"
import { type WorkflowPart, workflowParts } from "../../src/definitions/formats/workflow-keys.ts"
import { lifecycleEvents, offeredNames } from "../../src/definitions/lifecycle/event-names.ts"
import { effectNames } from "../../src/definitions/lifecycle/read-effects.ts"
import { rules } from "../../src/definitions/rules/index.ts"
import { alwaysAllowed, alwaysAllowedOnServers } from "../../src/definitions/workflow/allowed.ts"
import { commands } from "../../src/faces/cli/commands.ts"
import { writeCommandHelp } from "../../src/faces/cli/help.ts"
import type { ValueType } from "../../src/ground/keys.ts"
import { functions } from "../../src/language/expression/functions.ts"
import { allMethods } from "../../src/language/expression/python/methods.ts"
import { precedence } from "../../src/run/rights/precedence.ts"

/** Of each format its keys, from the table that it is read with. */
export function formatPages(): readonly {
  readonly file: string
  readonly source: string
  readonly text: string
}[] {
  return formats.map((format) => ({
    file: `docs/reference/formats/${format.id}.md`,
    source: `src/definitions/formats/${format.id}.ts`,
    text: formatPage(format),
  }))
}

function formatPage(format: Format): string {
  const { locations, name, instructions, unknownKeys } = format
  const fields = format.fields as readonly Field[]
  const places = [
    ...locations.project.map((folder) => `\`${folder}/\` in the project`),
    ...locations.user.map((folder) => `\`~/${folder}/\``),
    ...(format.id === "cadre" ? ["`agents/` in the user's configuration folder"] : []),
  ]
  const named = { same: ", the same as the file's", default: "; left out, that of the file" }
  return [
    `# ${format.title}`,
    "",
    format.doc,
    "",
    `- **Id**: \`${format.id}\` (\`cadre check --as ${format.id}\`)`,
    `- **Files**: ${locations.extensions.map((ending) => `\`*${ending}\``).join(", ")} in ${places.join(", ")}${locations.depth === "nested" ? ", and folders below" : ""}${locations.only ? `; only names that match \`${locations.only.source}\`` : ""}`,
    `- **Name**: \`${name.pattern.source}\`${name.file ? named[name.file] : ""}`,
    `- **Instructions**: ${instructions}`,
    `- **Keys it does not know**: ${unknownKeys}, and kept for writing back${format.unknownLimits ? "; a limit such as `timeout` with a warning. One that would take rights away, such as `disallowedTools`, is an error: nothing would enforce it" : ""}`,
    ...(format.usualTask === undefined ? [] : [`- **Run without a task**: it is told "${format.usualTask}"`]),
    "",
    "| key | value | meaning | left out |",
    "| --- | --- | --- | --- |",
    ...fields.map(
      (field) =>
        `| ${[field.key, ...(field.aliases ?? [])].map((key) => `\`${key}\``).join(", ")}${field.required ? " (required)" : ""} | ${cell(typeText(field.type))} | ${cell(describeField(field))} | ${cell(field.otherwise ?? "")} |`,
    ),
  ].join("\n")
}

function typeText(type: ValueType): string {
  switch (type.type) {
    case "text":
      return "text"
    case "words":
      return "list, or text with commas"
    case "number": {
      const kind = type.whole ? "whole number" : "number"
      if (type.minimum === undefined) return kind
      return type.maximum === undefined
        ? `${kind}, ${type.minimum} or more`
        : `${kind}, ${type.minimum} to ${type.maximum}`
    }
    case "flag":
      return "true or false"
    case "choice":
      return type.of.map((choice) => `\`${choice}\``).join(", ")
    case "map":
      return "keys and values"
    case "list":
      return "list"
    case "null":
      return "null"
    case "any":
      return "anything"
    case "either":
      return type.of.map(typeText).join(", or ")
  }
}

/** The page of all rules, with one example each. */
export function rulesPage(): string {
  const sorted = [...rules].sort((left, right) => (left.code < right.code ? -1 : 1))
  return [
    "# Findings",
    "",
    "`cadre check` and `cadre list` report these findings. Set the severity of each in `.cadre/config.yaml` under `rules`; `--strict` makes every warning an error.",
    "",
    "| code | severity | finding |",
    "| --- | --- | --- |",
    ...sorted.map(
      ({ code, severity, title }) => `| [\`${code}\`](#${code}) | ${severity} | ${cell(title)} |`,
    ),
    ...sorted.flatMap(({ code, severity, title, why, fix, example }) => [
      "",
      `## ${code}`,
      "",
      `${title} (${severity}).`,
      "",
      `**Why**: ${why}`,
      "",
      `**What to do**: ${fix}`,
      "",
      ...("unreproducible" in example
        ? [`No example: ${example.unreproducible}`]
        : [`\`${example.file}\`:`, "", fenced(visible(example.text))]),
    ]),
  ].join("\n")
}

/** Replaces NUL, because a page with one NUL counts as a binary file. */
const visible = (text: string): string => text.replaceAll("\0", "␀")

/** The help of every command, as it is printed. */
export async function commandsPage(): Promise<string> {
  const loaded = await Promise.all(commands.map((listed) => listed.load()))
  return [
    "# Commands",
    "",
    "Exit 0: fine. 1: problems found. 2: wrong usage. 70: a fault of cadre itself.",
    ...loaded.flatMap((command) => ["", `## cadre ${command.name}`, "", fenced(writeCommandHelp(command))]),
  ].join("\n")
}

/** Every setting, from the table that the configuration is read with. */
export function configurationPage(): string {
  return [
    "# Configuration",
    "",
    "`.cadre/config.yaml` of the project and `config.yaml` in the user's configuration folder (`CADRE_CONFIG_DIR`, else the platform's). The project's wins, key by key; the environment beats both. No run starts while an effective setting is wrong. `cadre schema config` prints the schema for editors.",
    "",
    "| key | default | environment | meaning |",
    "| --- | --- | --- | --- |",
    ...configurationKeys.map(
      ({ key, default: value, variable, doc }) =>
        `| \`${key}\` | ${value === undefined ? "" : `\`${JSON.stringify(value)}\``} | ${variable === undefined ? "" : `\`${variable}\``} | ${cell(doc)} |`,
    ),
  ].join("\n")
}

/** The page of precedence, from the table that runs use. */
export function precedencePage(): string {
  const sections: Readonly<Record<keyof typeof precedence, string>> = {
    model: "The first that sets a value wins.",
    tools: "Each step can only take away; a tool must get past all of them.",
    limits: "The first that sets a value wins, limit by limit.",
    variables: "The first that sets a value wins, variable by variable.",
  }
  return [
    "# Precedence",
    "",
    "`cadre explain NAME` prints the effective values of a run, where each comes from, and what it overrides; `--parent AGENT` does so for a child. The guide is [see what a run would do](../guides/preview-a-run.md).",
    ...Object.entries(precedence).flatMap(([part, ranks]) => [
      "",
      `## ${part[0]!.toUpperCase()}${part.slice(1)}`,
      "",
      sections[part as keyof typeof precedence],
      "",
      "| | source | place |",
      "| --- | --- | --- |",
      ...ranks.map(
        ({ source, where }, index) =>
          `| ${index + 1} | ${source} | ${cell(`${where}${byFormats[`${part}.${source}`] ?? ""}`)} |`,
      ),
    ]),
  ].join("\n")
}

/** Notes about single formats, which the table in the core cannot name. */
const byFormats: Readonly<Record<string, string>> = {
  "model.default": " For Codex files, last, `model` and `model_provider` of `~/.codex/config.toml`",
  "tools.inherited": ". Every tool is meant in files of Claude Code, Codex, acai and Gobby",
  "limits.parent": ". Formats that say a `timeout`: Gobby (120 s), acai (300 s)",
  "variables.definition":
    "; of Gobby's files `default_variables`, then `workflows.variables`, then `lifecycle_variables`, the last to say it wins",
  "variables.lifecycle": "; such files are Gobby's",
}

export function workflowKeysPage(): string {
  const titles: Readonly<Record<WorkflowPart, string>> = {
    workflow: "A workflow",
    step: "A step",
    transition: "A transition",
    entry: "Actions: `on_enter`, `on_exit`, `on_transition`",
    reaction: "Actions after a call: `on_success`, `on_error`, `on_mcp_success`, `on_mcp_error`",
    stop: "`on_premature_stop`",
    settings: "`settings`",
  }
  return [
    "# Keys of workflows",
    "",
    "Every key of a workflow, in a definition, in `.cadre/workflows/` or in Gobby's files. The guide is [write a workflow](../guides/write-a-workflow.md). Actions are written as the [effects of hooks](hook-names.md#effects); `block` and `rewrite_input` need a call and are not allowed here.",
    ...Object.entries(workflowParts).flatMap(([part, keys]) => [
      "",
      `## ${titles[part as WorkflowPart]}`,
      "",
      "| key | value | meaning | left out |",
      "| --- | --- | --- | --- |",
      ...keys.map(
        ({ key, type, doc, required, otherwise = "" }) =>
          `| \`${key}\`${required ? " (required)" : ""} | ${cell(typeText(type))} | ${cell(doc)} | ${cell(otherwise)} |`,
      ),
    ]),
    "",
    "## Tools that steps never forbid",
    "",
    `${alwaysAllowed.map((name) => `\`${name}\``).join(", ")}; and of MCP servers, whichever it is: ${alwaysAllowedOnServers.map((name) => `\`${name}\``).join(", ")}.`,
  ].join("\n")
}

export function hookNamesPage(): string {
  const events = Object.entries(lifecycleEvents)
  return [
    "# Events and names for hooks",
    "",
    "Events, and the names that `when` and templates can use at each. A name that an event does not offer is null there. A name that is in no table is a mistake, reported before anything runs. The guide is [write a hook](../guides/write-a-hook.md).",
    "",
    "## Events",
    "",
    "| event | when |",
    "| --- | --- |",
    ...events.map(([name, when]) => `| \`${name}\` | ${when} |`),
    "",
    "## Names",
    "",
    "| name | meaning | at |",
    "| --- | --- | --- |",
    ...offeredNames.map(
      ({ name, means, events: at }) =>
        `| \`${name}\` | ${cell(means)} | ${at === "all" ? "all" : at.map((one) => `\`${one}\``).join(", ")} |`,
    ),
    "",
    "## Functions",
    "",
    `${[...functions.keys()].map((name) => `\`${name}\``).join(", ")}; as in Python. They have no side effects, and those that take a function take one of these: \`sorted(words, key=len)\`.`,
    "",
    `Methods: ${[...allMethods]
      .sort()
      .map((name) => `\`${name}\``)
      .join(
        ", ",
      )}. There are no regular expressions. A key that a method is called by, such as \`items\`, is found by index: \`tool_input['items']\`.`,
    "",
    "## Effects",
    "",
    `${effectNames.map((name) => `\`${name}\``).join(", ")}.`,
  ].join("\n")
}

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ")

const fenced = (text: string): string => {
  const fence = "`".repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)))
  return `${fence}\n${text.trimEnd()}\n${fence}`
}
