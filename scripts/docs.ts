/** Writes the reference pages in docs/ from the sources. `--check` writes nothing and fails where a page is stale. */
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

export interface Page {
  readonly file: string
  readonly text: string
}

const root = path.resolve(import.meta.dirname, "..")

export async function createPages(): Promise<readonly Page[]> {
  return [
    page("docs/events.md", ["src/run/log/event.ts", "src/run/log/store.ts"], eventsPage()),
    page("docs/errors.md", ["src/ground/errors.ts"], errorsPage()),
    page("docs/limits.md", ["src/ground/limits.ts"], limitsPage()),
    page("docs/api.md", ["src/index.ts", "src/faces/hosts", "src/faces/testing/index.ts"], apiPage()),
    page("docs/rules.md", ["src/definitions/rules"], rulesPage()),
    page("docs/commands.md", ["src/faces/cli/commands"], await commandsPage()),
    page("docs/configuration.md", ["src/definitions/configuration/keys.ts"], configurationPage()),
    page("docs/precedence.md", ["src/run/rights/precedence.ts"], precedencePage()),
    page(
      "docs/hook-names.md",
      ["src/definitions/lifecycle/event-names.ts", "src/definitions/lifecycle/read-effects.ts"],
      hookNamesPage(),
    ),
    page("docs/workflow-keys.md", ["src/definitions/formats/workflow-keys.ts"], workflowKeysPage()),
    ...formatPages().map(({ file, source, text }) => page(file, [source], text)),
  ]
}

export async function stalePages(): Promise<readonly string[]> {
  return (await createPages())
    .filter(({ file, text }) => !fs.existsSync(path.join(root, file)) || read(file) !== text)
    .map(({ file }) => file)
}

/** Said here until the sources say it: a comment above the thing itself wins. */
const meanings: Readonly<Record<string, string>> = {
  "run-start": "The run exists. Everything it may do is settled here and does not change later.",
  "run-resume":
    "Another process, or the same one later, picked the run up. Whatever was in flight before this has been interrupted; the time since the event before does not count.",
  "model-start":
    "A model is about to be asked. What the request may cost at most is reserved by the same event.",
  "model-end": "The model's answer, or its last failure. The runtime numbers and checks the calls here.",
  "hook-end":
    "What the hooks before a call came to: one verdict, and whatever else they wanted. A second one for the same call says that work beside it could not start.",
  "approval-start": "A call needs a person's word.",
  "approval-end": "A person gave it.",
  "tool-start":
    "A tool function is about to run. For an opaque tool the disk has this event before the function starts.",
  "tool-end": "What a call came to. Every call that was asked for has exactly one.",
  "child-start": "A call, or what a hook wants at a moment, became a run of its own.",
  "child-rest": "A child waits for a person.",
  "child-wake": "A child that rested goes on.",
  "child-end": "A child has ended; its report is here. A call that waited for it then gets its `tool-end`.",
  "message-add": "A message that joins the history at the next turn.",
  "cancel-request": "Somebody asked the run to stop. From here nothing new starts.",
  "run-end": "The run is over. Nothing follows.",
  "Stamp.run": "Whose event this is.",
  "Stamp.seq": "0, 1, 2, … within the run, without a gap.",
  "Stamp.at": "When, in milliseconds since 1970.",
  "Stamp.v": "The version of this event's shape.",
  completed: "The model gave an answer, or a valid `submit_result` where a result schema asks for one.",
  failed: "The model could not be asked, or the process died too often without getting anywhere.",
  cancelled: "Somebody asked it to stop, or its parent stopped.",
  "timed-out": "`timeout` or `idleTimeout` ran out.",
  limit: "A limit was reached. What the run had said so far is its output.",
  loop: "The same turns came five times in a row.",
  "no-output": "The model ended without a word, also after it was asked for one.",
  denied: "It could not start, a hook did not let it ask its model, or every call it made was refused.",
  uncertain: "It ended while nobody knew the outcome of an opaque call.",
  maxToolCalls: "Tool calls. Those beyond it are answered, but not run.",
}

const errorMeanings: Readonly<Record<ErrorCode, string>> = {
  AGENT_001:
    "A Remora subagent is wrong, in the words and with the code of Remora itself. The error lists every finding.",
  AGENT_INVALID:
    "A definition is wrong, or two agents share a name. The message lists every problem at once.",
  AGENT_UNKNOWN: "No agent has this name. The message lists the names there are.",
  ATTACHMENT_INVALID:
    "A task is given with a file that cannot be read, is damaged, or is no picture or PDF, or no model would read it.",
  CALL_UNKNOWN: "The run has no open approval with this call id. The message lists the open ones.",
  CONFIGURATION_INVALID:
    "A setting of a configuration that counts cannot be read, so nothing starts: it may have been a rule that denies, or a limit. The message says where it stands.",
  EXECUTOR_DENIED:
    "A program runs the agent, and the agent or its caller may not start one, or the program would not be told what narrows the agent.",
  EXECUTOR_INVALID:
    "Programs that code names as executors cannot be started as they are. The message lists every problem at once.",
  EXECUTOR_UNKNOWN:
    "The program that runs an agent is not configured, or not installed. The message lists those there are.",
  INPUT_INVALID:
    "A task does not give the inputs of a pipeline. The message says what is wrong and what the task must be.",
  ISOLATION_REFUSED:
    "The agent works in a place of its own, and cannot have that here. It is never run in place instead.",
  LIMIT_INVALID:
    "A limit is unknown, zero, negative, not a number, or not whole where it counts things; or a command of a run would start one that is deeper than `maxDepth`.",
  LOG_DAMAGED:
    "A log has a gap, a line that does not match its checksum, was cut, or lost what it was started with. `cadre resume ID --repair` mends it, unless its first event is lost.",
  LOG_VERSION: "A log holds an event that a newer release wrote.",
  MESSAGE_REFUSED: "No model drives the run, so nobody would read the message. Send it to a run below it.",
  MODE_REFUSED:
    "The agent, or the call, names a mode that agents are not started in here. The message names those that work.",
  MCP_SERVER_INVALID:
    "MCP servers that code names cannot be started or asked as they are. The message lists every problem at once.",
  MODEL_DENIED:
    "A call asked for another model, and the definition or the configuration does not let it; or the configuration does not allow the model or its price (`allowed_models`, `max_model_price`).",
  MODEL_KEY_MISSING: "The provider of a model needs a key and none is set.",
  MODEL_UNKNOWN: "A model's name cannot be resolved, no model is set, or a model's options are wrong.",
  OPTION_INVALID:
    "A function of the library was given an option that it does not know, or a value that it cannot take. The message names the nearest one, or says what to write.",
  POSTCONDITION_UNCHECKED:
    "An agent has postconditions that nothing here could check, so it does not start: there is no checker, or no Bash tool for its commands.",
  RUN_ACTIVE:
    "A run of this agent with the same dedupe key has not ended, or a tree that was to be removed has an open run. The message names it: wait for it, resume it or cancel it.",
  RUN_ENDED: "The run has ended, so no message or approval can reach it. Start a run that `continues` it.",
  RUN_OWNED: "Another live process drives this tree.",
  RUN_UNKNOWN: "The store has no such run, or the text is not a run id.",
  SCRIPT_INVALID: "A model script cannot be read.",
  SKILL_UNKNOWN:
    "An agent is to have a skill that is not there, cannot be read, or may not be loaded. The message lists those there are.",
  STORE_FAILED:
    "The log could not be written, is gone from its folder, or no more files can be opened, so the run has stopped. Resume it once the cause is gone.",
  SUBAGENTS_DISABLED: "`subagents.enabled` is off, so nothing is started. Listing and checking still work.",
  HOOK_INVALID:
    "Hooks cannot be read, or the set that an agent picks is not there. Nothing runs under hooks that might forbid something nobody can read.",
  VARIABLE_INVALID:
    "A variable cannot be set: its name is reserved or cannot be printed, or its value is not plain JSON or too large.",
  VARIABLE_UNSET:
    "The template of an agent's first message uses variables that are not set. Nothing is sent. The message lists all of them and says how to set them.",
  TEXT_EMPTY: "A task or a message has no text. Providers refuse an empty message.",
  TOOL_INVALID: "A tool's name, effect or schema is wrong, or two tools share a name.",
  TRUST_CHANGED:
    "Settings or hooks that a person trusted are not what they were, and may have forbidden something; or a file that an agent is to start with is not what was trusted. `cadre trust` shows what is new.",
  TRUST_REFUSED:
    "A folder was to be trusted that is no workspace: the home folder, or the root of the file system.",
  WORKFLOW_INVALID:
    "A workflow cannot be read, or the one that an agent names is not there or not trusted. Nothing runs under a workflow that might forbid something nobody can read.",
  WORKSPACE_UNKNOWN: "`codingAgent` was given a folder that is not there.",
  TOOLS_DENIED:
    "An agent lists tools, and nothing of the list is left: the message says of each who took it and what to write.",
  TOOL_UNKNOWN: "An agent names a tool that is not registered. The message lists the names there are.",
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
    "src/run/log/event-tools.ts",
  )
  const stored = parse("src/run/log/store.ts")
  const facts = unionOf(source, "Fact").map((node) => shapeOf(source, node))
  const outcomes = unionOf(source, "Outcome").map((node) => shapeOf(source, node))
  const counted = shapeOf(stored, declaration(stored, "Stored")).fields
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
    "Unseen",
    "Verdict",
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
    "What a model can mend is not an error but the result of its call. How a run ended is not an error but its [outcome](events.md#outcomes).",
    table(
      ["code", "meaning"],
      codes.map(([name, doc]) => [`\`${name}\``, doc || errorMeanings[name]]),
    ),
  ].join("\n\n")
}

function limitsPage(): string {
  const source = parse("src/ground/limits.ts")
  const { doc, fields } = shapeOf(source, declaration(source, "Limits"))
  const standard: { readonly [name: string]: number } = defaultLimits
  return [
    "# Limits",
    doc,
    "The call's limits beat the definition's, which beat the runtime's, which beat the defaults below. A child never outlives its parent, never goes deeper, and counts towards every `maxTokens`, `maxCost` and `maxSpawns` above it. Where others hold the tokens or the cost that a run needs, it waits in line: first come, first served, also where somebody behind it needs less. What can never fit ends as the limit.",
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
  Limits: "limits.md",
  ErrorCode: "errors.md",
  RunEvent: "events.md",
  LiveEvent: "events.md",
  TextDelta: "events.md#text-delta",
  Outcome: "events.md#outcomes",
  CallResult: "events.md#types-in-these-fields",
  Verdict: "events.md#types-in-these-fields",
}

function apiPage(): string {
  const entries = {
    cadre: "src/index.ts",
    "cadre/ai-sdk": "src/faces/hosts/ai-sdk.ts",
    "cadre/openai-agents": "src/faces/hosts/openai-agents.ts",
    "cadre/testing": "src/faces/testing/index.ts",
  }
  const { config } = ts.readConfigFile(path.join(root, "tsconfig.json"), ts.sys.readFile)
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root)
  const program = ts.createProgram(
    Object.values(entries).map((file) => path.join(root, file)),
    options,
  )
  const checker = program.getTypeChecker()
  return [
    "# API",
    "Everything the package exports.",
    ...Object.entries(entries).flatMap(([name, file]) => {
      const source = program.getSourceFile(path.join(root, file))!
      const exported = checker
        .getExportsOfModule(checker.getSymbolAtLocation(source)!)
        .map((symbol) => describeExport(checker, symbol))
        .sort((left, right) => (left.name < right.name ? -1 : 1))
      return [
        `## ${name}`,
        ...exported.filter(({ kind }) => kind === "value").map(({ text }) => text),
        ...exported.filter(({ kind }) => kind === "type").map(({ text }) => text),
      ]
    }),
  ].join("\n\n")
}

function describeExport(checker: ts.TypeChecker, exported: ts.Symbol) {
  const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
  const node = symbol.declarations![0]!
  const source = node.getSourceFile()
  const name = exported.name
  const isType = ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)
  const commented = ts.isVariableDeclaration(node) ? node.parent.parent : node
  const heading = [`### ${name}`, docOf(source, commented)]
  if (!isType) {
    const type = checker.getTypeOfSymbol(symbol)
    const [signature] = type.getCallSignatures()
    if (signature)
      heading.push(fence(name + checker.signatureToString(signature, node, ts.TypeFormatFlags.NoTruncation)))
  } else if (name in elsewhere) heading.push(`See [${elsewhere[name]}](${elsewhere[name]}).`)
  else if (ts.isInterfaceDeclaration(node)) heading.push(fieldTable(allFields(checker, node)))
  else heading.push(aliasText(source, node))
  return { name, kind: isType ? "type" : "value", text: heading.filter((part) => part !== "").join("\n\n") }
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
