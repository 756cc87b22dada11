/** Writes the generated pages of docs/reference from the sources. `--check` writes nothing and fails where a page is stale. */
import fs from "node:fs"
import path from "node:path"
import ts from "typescript"
import type { ErrorCode } from "../src/ground/errors.ts"
import { defaultLimits } from "../src/ground/limits.ts"
import {
  commandsPage,
  configurationPage,
  formatPages,
  hookNamesPage,
  precedencePage,
  rulesPage,
  workflowKeysPage,
} from "./docs/definitions.ts"
import { entryPoints } from "./docs/undocumented.ts"

export interface Page {
  readonly file: string
  readonly text: string
}

const root = path.resolve(import.meta.dirname, "..")

export async function createPages(): Promise<readonly Page[]> {
  return [
    page("docs/reference/events.md", ["src/run/log/event.ts", "src/run/log/store.ts"], eventsPage()),
    page("docs/reference/errors.md", ["src/ground/errors.ts"], errorsPage()),
    page("docs/reference/limits.md", ["src/ground/limits.ts"], limitsPage()),
    page("docs/reference/api.md", Object.values(entryPoints), apiPage()),
    page("docs/reference/rules.md", ["src/definitions/rules"], rulesPage()),
    page("docs/reference/commands.md", ["src/faces/cli/commands"], await commandsPage()),
    page("docs/reference/configuration.md", ["src/definitions/configuration/keys.ts"], configurationPage()),
    page("docs/reference/precedence.md", ["src/run/rights/precedence.ts"], precedencePage()),
    page(
      "docs/reference/hook-names.md",
      ["src/definitions/lifecycle/event-names.ts", "src/definitions/lifecycle/read-effects.ts"],
      hookNamesPage(),
    ),
    page("docs/reference/workflow-keys.md", ["src/definitions/formats/workflow-keys.ts"], workflowKeysPage()),
    ...formatPages().map(({ file, source, text }) => page(file, [source], text)),
  ]
}

export async function stalePages(): Promise<readonly string[]> {
  return (await createPages())
    .filter(({ file, text }) => !fs.existsSync(path.join(root, file)) || read(file) !== text)
    .map(({ file }) => file)
}

/** Meanings of names that have no comment in the sources. A comment there takes precedence. */
const meanings: Readonly<Record<string, string>> = {
  "run-start": "The run exists. This event fixes everything that the run may do.",
  "run-resume":
    "Another process, or the same one later, resumed the run. Calls that were in flight are interrupted. The time since the event before does not count.",
  "model-start": "A model is about to be asked. The same event reserves the most that the request may cost.",
  "model-end": "The model's answer, or its last failure. The runtime numbers and checks the calls here.",
  "hook-end":
    "The verdict of the hooks before a call, with their other effects. A second one for the same call says that a background agent could not start.",
  "approval-start": "A call needs a person's approval.",
  "approval-end": "A person answered.",
  "sampling-ask":
    "A program asks for a reply of the run's model in the middle of a call. The words are the program's.",
  "tool-start":
    "A tool function is about to run. For an opaque tool the disk has this event before the function starts.",
  "tool-end": "The result of a call. Every call that was asked for has exactly one.",
  "child-start": "A call, or a hook at a moment, started a child run.",
  "child-rest": "A child waits for a person.",
  "child-wake": "A child that rested continues.",
  "child-end": "A child has ended; its report is here. A call that waited for it then gets its `tool-end`.",
  "message-add": "A message that joins the history at the next turn.",
  "cancel-request": "The run was asked to stop. From here nothing new starts.",
  "run-end": "The run is over. Nothing follows.",
  "Stamp.run": "The run that this event belongs to.",
  "Stamp.seq": "0, 1, 2, … within the run, without a gap.",
  "Stamp.at": "The time, in milliseconds since 1970.",
  "Stamp.v": "The version of this event's shape.",
  completed: "The model gave an answer, or a valid `submit_result` where a result schema asks for one.",
  failed: "The model could not be asked, or the process died too often without getting anywhere.",
  cancelled: "It was asked to stop, or its parent stopped.",
  "timed-out": "`timeout` or `idleTimeout` ran out.",
  limit: "A limit was reached. The output is what the run had said so far.",
  loop: "The same turns came five times in a row.",
  "no-output": "The model ended without a word, also after it was asked for one.",
  denied: "It could not start, a hook did not let it ask its model, or every call it made was refused.",
  uncertain: "It ended while the outcome of an opaque call was unknown.",
  maxToolCalls: "Tool calls. Those beyond it are answered, but not run.",
}

const errorMeanings: Readonly<Record<ErrorCode, string>> = {
  AGENT_001:
    "A Remora subagent is wrong, in the words and with the code of Remora itself. The error lists every finding.",
  AGENT_INVALID:
    "A definition is wrong, or two agents share a name. The message lists every problem at once.",
  AGENT_UNKNOWN: "No agent has this name. The message lists the known names.",
  ATTACHMENT_INVALID:
    "A file of a task cannot be read, is damaged, is not a picture or PDF, or no model would read it.",
  ANSWER_INVALID:
    "The answer to a program's question does not fit what it asks for. The message names each wrong value.",
  CALL_UNKNOWN: "The run has no open approval with this call id. The message lists the open ones.",
  CONFIGURATION_INVALID:
    "A setting cannot be read, so nothing starts: it may have been a rule that denies, or a limit. The message names the place.",
  DISC_001: "A query pack for code nodes is not there, or is for a language without a grammar.",
  DISC_003:
    "A query for code nodes does not fit the grammar of its language. The error has the file, line and column.",
  DISC_004:
    "A source file cannot be read as code: it is missing, binary, too large or not UTF-8. In diagnostics it also marks a syntax error.",
  EXECUTOR_DENIED:
    "A program runs the agent, and a rule denies it, or the program cannot be told what limits the agent.",
  EXECUTOR_INVALID:
    "Programs that code names as executors cannot be started as they are. The message lists every problem at once.",
  EXECUTOR_UNKNOWN:
    "The program that runs an agent is not configured or not installed. The message lists the known ones.",
  INPUT_INVALID:
    "A task does not match the inputs of a pipeline. The message says what is wrong, and the form that the task must have.",
  GRAMMAR_MISSING:
    "Code cannot be parsed, because the optional packages with the grammars are not installed. The message has the command that installs them.",
  ISOLATION_REFUSED:
    "The agent needs a worktree, and cannot have one here. It is never run in place instead.",
  LIMIT_INVALID:
    "A limit is unknown, zero, negative, not a number, or not a whole number. Or a command of a run would start a run deeper than `maxDepth`.",
  LOG_DAMAGED:
    "A log has a gap, a line that does not match its checksum, was cut, or lost its definition. `cadre resume ID --repair` repairs it, unless its first event is lost.",
  LOG_VERSION: "A log holds an event that a newer release wrote.",
  MESSAGE_REFUSED: "No model drives the run, so no one would read the message. Send it to a run below it.",
  MODE_REFUSED:
    "The agent, or the call, names a mode that is not supported here. The message names the supported ones.",
  MCP_SERVER_CHANGED:
    "A run is resumed, and the entry of one of its MCP servers is another one now. Restore the entry, or start a new run.",
  MCP_SERVER_INVALID:
    "MCP servers that code names cannot be started or asked as they are. The message lists every problem at once. Or an agent brings a server whose entry is wrong, or whose name the configuration uses for another server.",
  MCP_SERVER_UNKNOWN:
    "An agent names an MCP server that is not configured, or that a file names which is not trusted. The message lists the known ones, or says what to type.",
  MCP_TOOLS_CHANGED:
    "The tools or the instructions of an MCP server are not those that the user accepted. The message shows the difference and the command that accepts them.",
  MODEL_DENIED:
    "A call asked for another model, which the definition or the configuration forbids. Or the configuration does not allow the model or its price (`allowed_models`, `max_model_price`).",
  MODEL_KEY_MISSING: "The provider of a model needs a key, and none is set.",
  MODEL_UNKNOWN: "A model's name cannot be resolved, no model is set, or a model's options are wrong.",
  NODE_UNKNOWN: "No code node, or more than one, has this address. The message lists names or ids.",
  OPTION_INVALID:
    "A function of the library got an unknown option or an invalid value. The message names the nearest option, or says what to write.",
  POSTCONDITION_UNCHECKED:
    "An agent's postconditions cannot be checked, so it does not start: there is no checker, or no Bash tool for its commands.",
  RUN_ACTIVE:
    "A run of this agent with the same dedupe key has not ended, or the tree to remove has an open run. The message names the run: wait for it, resume it or cancel it.",
  RUN_ENDED: "The run has ended, so no message or approval can reach it. Start a run that `continues` it.",
  RUN_OWNED: "Another live process drives this tree.",
  RUN_UNKNOWN: "The store has no such run, or the text is not a run id.",
  SCRIPT_INVALID: "A model script cannot be read.",
  SKILL_UNKNOWN:
    "An agent needs a skill that is missing, cannot be read, or may not be loaded. The message lists the known ones.",
  STORE_FAILED:
    "The log could not be written, is gone from its folder, or no more files can be opened, so the run has stopped. Resume it once the cause is gone.",
  SUBAGENTS_DISABLED: "`subagents.enabled` is off, so nothing is started. Listing and checking still work.",
  HOOK_INVALID:
    "Hooks cannot be read, or the set that an agent picks is missing. Nothing runs under hooks that cadre cannot read.",
  VARIABLE_INVALID:
    "A variable cannot be set: its name is reserved or cannot be printed, or its value is not plain JSON or too large.",
  VARIABLE_UNSET:
    "The template of an agent's first message uses variables that are not set. Nothing is sent. The message lists all of them and says how to set them.",
  TEXT_EMPTY: "A task or a message has no text. Providers refuse an empty message.",
  TOOL_INVALID: "A tool's name, effect or schema is wrong, or two tools share a name.",
  TRUST_CHANGED:
    "Trusted settings or hooks have changed, and may have forbidden something; or a file of an agent's context has changed. `cadre trust` shows the difference.",
  TRUST_REFUSED: "The home folder and the root of the file system cannot be trusted.",
  WORKFLOW_INVALID:
    "A workflow cannot be read, or the one that an agent names is missing or not trusted. Nothing runs under a workflow that cadre cannot read.",
  WORKSPACE_UNKNOWN: "`codingAgent` was given a folder that is not there.",
  TOOLS_DENIED:
    "No tool of an agent's list is left. The message says what took each tool, and what to write.",
  TOOL_SCRIPT:
    "The script of a tool is missing, is not trusted, or does not pass its check. The message has its place.",
  TOOL_UNKNOWN: "An agent names a tool that is not registered. The message lists the known names.",
}

function eventsPage(): string {
  const source = parse(
    "src/run/log/event.ts",
    "src/run/log/event-children.ts",
    "src/run/log/event-hooks.ts",
    "src/run/log/event-model.ts",
    "src/run/log/event-outcome.ts",
    "src/run/log/event-plan.ts",
    "src/run/log/event-rights.ts",
    "src/run/log/event-run.ts",
    "src/run/log/event-sampling.ts",
    "src/run/log/event-files.ts",
    "src/run/log/event-tools.ts",
    "src/agent/sampling.ts",
  )
  const stored = parse("src/run/log/store.ts")
  const facts = unionOf(source, "Fact").map((node) => shapeOf(source, node))
  const outcomes = unionOf(source, "RunOutcome").map((node) => shapeOf(source, node))
  const counted = shapeOf(stored, declaration(stored, "StoredEvent")).fields
  const stamp = shapeOf(source, declaration(source, "Stamp")).fields.map((field) => ({
    ...field,
    meaning:
      counted.find(({ name }) => name === field.name)?.meaning ||
      required(`Stamp.${field.name}`, field.meaning),
  }))
  const used = [
    "RuleSet",
    "AskedCall",
    "CallResult",
    "UnseenAttachment",
    "CallVerdict",
    "SamplingRequest",
    "SamplingReply",
    "UsageByModel",
    "LimitName",
    "ClockName",
  ]
  return [
    "# Events",
    "A run is the list of its events: state, progress and results are all derived from it. Each event is one JSON object.",
    "Iterating over a run gives these, for the run and every run below it, and `text-delta` while a model speaks.",
    table(
      ["event", "meaning"],
      facts.map(({ type, meaning }) => [`[\`${type}\`](#${type})`, required(type, meaning)]),
    ),
    "## Every event has",
    fieldTable(stamp),
    ...facts.flatMap(({ type, meaning, fields }) => [
      `## ${type}`,
      required(type, meaning),
      fields.length > 0 ? fieldTable(fields) : "No fields of its own.",
    ]),
    "## text-delta",
    shapeOf(source, declaration(source, "TextDelta")).doc,
    fieldTable(shapeOf(source, declaration(source, "TextDelta")).fields),
    "## Outcomes",
    table(
      ["outcome", "fields", "meaning"],
      outcomes.map(({ type, meaning, fields }) => [
        `\`${type}\``,
        fields.map(({ name, type }) => code(`${name}: ${type}`)).join(", "),
        required(type, meaning),
      ]),
    ),
    "## Types in these fields",
    ...used.map((name) => typeBlock(source, name)),
  ].join("\n\n")
}

function errorsPage(): string {
  const source = parse("src/ground/errors.ts")
  const codes = unionOf(source, "ErrorCode").map((node) => [
    node.getText(source).replaceAll('"', ""),
    docOf(source, node),
  ]) as [ErrorCode, string][]
  return [
    "# Errors",
    docOf(source, declaration(source, "CadreError")),
    "A mistake that a model can repair is not an error but the result of its call. The end of a run is not an error but its [outcome](events.md#outcomes).",
    table(
      ["code", "meaning"],
      codes.map(([name, doc]) => [`\`${name}\``, doc || errorMeanings[name]]),
    ),
  ].join("\n\n")
}

function limitsPage(): string {
  const source = parse("src/ground/limits.ts")
  const { doc, fields } = shapeOf(source, declaration(source, "RunLimits"))
  const standard: { readonly [name: string]: number } = defaultLimits
  return [
    "# Limits",
    doc,
    "The call's limits beat the definition's, which beat the runtime's, which beat the defaults below. A child never outlives its parent, never goes deeper, and counts towards every `maxTokens`, `maxCost` and `maxSpawns` above it. Where other runs hold the tokens or the cost that a run needs, it waits in line: first come, first served. A run whose need can never fit ends with that limit.",
    table(
      ["limit", "default", "meaning"],
      fields.map(({ name, meaning }) => [
        `\`${name}\``,
        standard[name]?.toLocaleString("en") ?? "none",
        required(name, meaning),
      ]),
    ),
  ].join("\n\n")
}

/** Types that have a page of their own. */
const elsewhere: Readonly<Record<string, string>> = {
  RunLimits: "limits.md",
  ErrorCode: "errors.md",
  RunEvent: "events.md",
  LiveEvent: "events.md",
  TextDelta: "events.md#text-delta",
  RunOutcome: "events.md#outcomes",
  CallResult: "events.md#types-in-these-fields",
  CallVerdict: "events.md#types-in-these-fields",
}

/** The tasks of readers, each with the folders of its sources. An export belongs to the first task that fits. */
const apiTasks: readonly { readonly title: string; readonly sources: RegExp }[] = [
  { title: "Test agents, stores and models", sources: /^src\/faces\/testing\// },
  { title: "Use MCP servers", sources: /mcp/ },
  { title: "Call agents from your loop", sources: /^src\/(?:assembly\/embed|faces\/hosts)\// },
  { title: "Run agents with other programs", sources: /executor/ },
  { title: "Write pipelines and planners", sources: /pipeline|planner|ports\/planning/ },
  { title: "Write hooks, workflows and layers", sources: /hook|moment|lifecycle|workflow|compose/ },
  { title: "Isolate runs and reuse results", sources: /isolation|worktree|cache|reuse/ },
  { title: "Choose models", sources: /^src\/agent\/model|^src\/world\/models\/|ports\/model|event-model/ },
  {
    title: "Give tools and decide what they may do",
    sources: /^src\/world\/tools\/|agent\/tool|mode\.ts|confinement|rights|sandbox|world\/shell/,
  },
  { title: "Load and check definitions", sources: /^src\/definitions\/|diagnostics|routing/ },
  { title: "Define agents", sources: /^src\/agent\/|postcondition|schema|ports\/(?:context|checking)/ },
  {
    title: "Store runs and read their events",
    sources: /^src\/run\/log\/|^src\/world\/stores\/|run\/decide|run\/state|message\.ts|usage/,
  },
  { title: "Run, watch and steer", sources: /^src\// },
]

const taskOf = (file: string, entry: string): string =>
  entry === "cadre/testing" ? apiTasks[0]!.title : apiTasks.find(({ sources }) => sources.test(file))!.title

function apiPage(): string {
  const { config } = ts.readConfigFile(path.join(root, "tsconfig.json"), ts.sys.readFile)
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root)
  const program = ts.createProgram(
    Object.values(entryPoints).map((file) => path.join(root, file)),
    options,
  )
  const checker = program.getTypeChecker()
  const exported = Object.entries(entryPoints).flatMap(([entry, file]) => {
    const source = program.getSourceFile(path.join(root, file))!
    return checker
      .getExportsOfModule(checker.getSymbolAtLocation(source)!)
      .map((symbol) => describeExport(checker, symbol, entry))
  })
  // The last of the list has what no other takes: where most readers begin.
  const groups = apiTasks.toReversed().map(({ title }) => ({
    title,
    entries: exported
      .filter(({ task }) => task === title)
      .sort((left, right) =>
        left.kind === right.kind ? compare(left.name, right.name) : left.kind === "value" ? -1 : 1,
      ),
  }))
  return [
    "# API",
    "Everything the package exports, by task. Functions and classes come first, then types. An export without a note is imported from `cadre`.",
    table(
      ["task", "functions and classes"],
      groups.map(({ title, entries }) => [
        `[${title}](#${anchorOf(title)})`,
        entries
          .filter(({ kind }) => kind === "value")
          .map(({ name }) => `[\`${name}\`](#${name.toLowerCase()})`)
          .join(", "),
      ]),
    ),
    ...groups.flatMap(({ title, entries }) => [`## ${title}`, ...entries.map(({ text }) => text)]),
  ].join("\n\n")
}

const compare = (left: string, right: string): number => (left < right ? -1 : 1)
const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^a-z ]/g, "")
    .replaceAll(" ", "-")

function describeExport(checker: ts.TypeChecker, exported: ts.Symbol, entry: string) {
  const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
  const node = symbol.declarations![0]!
  const source = node.getSourceFile()
  const name = exported.name
  const isType = ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)
  const commented = ts.isVariableDeclaration(node) ? node.parent.parent : node
  const task = taskOf(path.relative(root, source.fileName).replaceAll(path.sep, "/"), entry)
  const from = entry === "cadre" ? "" : `Imported from \`${entry}\`.`
  const heading = [`### ${name}`, from, docOf(source, commented)]
  if (!isType) {
    const type = checker.getTypeOfSymbol(symbol)
    const [signature] = type.getCallSignatures()
    if (signature)
      heading.push(fence(name + checker.signatureToString(signature, node, ts.TypeFormatFlags.NoTruncation)))
  } else if (name in elsewhere) heading.push(`See [${elsewhere[name]}](${elsewhere[name]}).`)
  else if (ts.isInterfaceDeclaration(node)) heading.push(fieldTable(allFields(checker, node)))
  else heading.push(aliasText(source, node))
  return {
    name,
    task,
    kind: isType ? "type" : "value",
    text: heading.filter((part) => part !== "").join("\n\n"),
  }
}

/** The fields of an interface, those it extends included. */
function allFields(checker: ts.TypeChecker, node: ts.InterfaceDeclaration): readonly Field[] {
  const named = checker
    .getPropertiesOfType(checker.getTypeAtLocation(node))
    .flatMap(({ declarations }) => declarations?.[0] ?? [])
    .filter((member) => ts.isTypeElement(member))
    .filter(({ name }) => name !== undefined && !ts.isComputedPropertyName(name))
  return [...node.members.filter(ts.isIndexSignatureDeclaration), ...named].map((member) =>
    fieldOf(member.getSourceFile(), member),
  )
}

interface Field {
  readonly name: string
  readonly type: string
  readonly optional: boolean
  readonly meaning: string
}

interface Shape {
  /** The value of its `type` field, where it is one of a union. */
  readonly type: string
  readonly doc: string
  readonly meaning: string
  readonly fields: readonly Field[]
}

/** What an interface, or an object type in a union, is made of. A name is looked up in the same file. */
function shapeOf(source: ts.SourceFile, node: ts.Node): Shape {
  if (ts.isTypeReferenceNode(node)) return shapeOf(source, declaration(source, node.typeName.getText(source)))
  if (!ts.isTypeLiteralNode(node) && !ts.isInterfaceDeclaration(node))
    throw new Error(
      `${source.fileName}: ${node.getText(source)} is no object type; scripts/docs.ts cannot show it.`,
    )
  const all = node.members.map((member) => fieldOf(source, member))
  const type = all.find(({ name }) => name === "type")?.type.replaceAll('"', "") ?? ""
  const doc = docOf(source, node)
  return {
    type,
    doc,
    meaning: doc || (meanings[type] ?? ""),
    fields: all.filter(({ name }) => name !== "type" || !/^[\w-]+$/.test(type) || type === "string"),
  }
}

function fieldOf(source: ts.SourceFile, member: ts.TypeElement): Field {
  const meaning = docOf(source, member)
  if (ts.isIndexSignatureDeclaration(member)) {
    const [key] = member.parameters
    return { name: `[${key!.getText(source)}]`, type: plain(source, member.type), optional: false, meaning }
  }
  const name = member.name!.getText(source)
  const type = ts.isPropertySignature(member)
    ? plain(source, member.type!)
    : plain(source, member).slice(name.length).replace(/^\?/, "")
  return { name, type, optional: member.questionToken !== undefined, meaning }
}

function unionOf(source: ts.SourceFile, name: string): readonly ts.Node[] {
  const node = declaration(source, name)
  if (!ts.isTypeAliasDeclaration(node) || !ts.isUnionTypeNode(node.type))
    throw new Error(`${source.fileName}: ${name} is no union; scripts/docs.ts cannot list it.`)
  return [...node.type.types]
}

function declaration(source: ts.SourceFile, name: string): ts.DeclarationStatement {
  const found = source.statements.find(
    (statement) =>
      (ts.isInterfaceDeclaration(statement) ||
        ts.isTypeAliasDeclaration(statement) ||
        ts.isClassDeclaration(statement)) &&
      statement.name?.text === name,
  )
  if (!found) throw new Error(`${source.fileName} has no ${name}; scripts/docs.ts looks for it there.`)
  return found as ts.DeclarationStatement
}

/** The comment right above a node, as one line. */
function docOf(source: ts.SourceFile, node: ts.Node): string {
  const before = source.text.slice(0, node.getStart(source))
  const [, comment = ""] = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/[ \t]*\n?[ \t]*(?:\|\s*)?$/.exec(before) ?? []
  return comment
    .split("\n")
    .map((line) => line.replace(/^\s*\*? ?/, "").trim())
    .filter((line) => line !== "")
    .join(" ")
}

function typeBlock(source: ts.SourceFile, name: string): string {
  const node = declaration(source, name)
  const inherited = ts.isInterfaceDeclaration(node)
    ? (node.heritageClauses ?? []).map((clause) => `It ${clause.getText(source)}.`)
    : []
  const heading = [`### ${name}`, docOf(source, node), ...inherited]
    .filter((part) => part !== "")
    .join("\n\n")
  const body = ts.isTypeAliasDeclaration(node)
    ? aliasText(source, node)
    : fieldTable(shapeOf(source, node).fields)
  return `${heading}\n\n${body}`
}

function required(name: string, meaning: string): string {
  const text = meaning || meanings[name]
  if (!text) throw new Error(`"${name}" has no meaning: write a /** comment */ above it in its source.`)
  return text
}

const printer = ts.createPrinter({ removeComments: true })

/** A type on one line. */
const plain = (source: ts.SourceFile, node: ts.Node): string =>
  printer
    .printNode(ts.EmitHint.Unspecified, node, source)
    .replaceAll(/\breadonly /g, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/; }/g, " }")
    .replace(/^\| |;$/g, "")

const aliasText = (source: ts.SourceFile, node: ts.TypeAliasDeclaration): string =>
  fence(
    plain(source, node)
      .replace(/^export /, "")
      .replace("= |", "="),
  )

const fieldTable = (fields: readonly Field[]): string =>
  table(
    ["field", "type", "meaning"],
    fields.map(({ name, type, optional, meaning }) => [
      code(name),
      optional ? `${code(type)}, optional` : code(type),
      meaning,
    ]),
  )

const code = (text: string): string => `\`${text}\``
const fence = (text: string): string => `\`\`\`text\n${text}\n\`\`\``

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows.map((row) => row.map((cell) => cell.replaceAll("|", "\\|")))]
    .map((row) => `| ${row.join(" | ")} |`)
    .join("\n")

const page = (file: string, from: readonly string[], body: string): Page => ({
  file,
  text: `<!-- Written by scripts/docs.ts from ${from.join(" and ")}. Change the source, then run: npm run docs -->\n\n${body}\n`,
})

/** Files that belong together, as one. */
const parse = (...files: readonly string[]): ts.SourceFile =>
  ts.createSourceFile(files[0]!, files.map(read).join("\n"), ts.ScriptTarget.ES2023, true)

function read(file: string): string {
  return fs.readFileSync(path.join(root, file), "utf8")
}

if (process.argv[1] === import.meta.filename) {
  if (process.argv.includes("--check")) {
    const stale = await stalePages()
    if (stale.length > 0) {
      console.error(`Stale: ${stale.join(", ")}. Run: npm run docs`)
      process.exitCode = 1
    }
  } else
    for (const { file, text } of await createPages()) {
      fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
      fs.writeFileSync(path.join(root, file), text)
      console.log(`wrote ${file}`)
    }
}
