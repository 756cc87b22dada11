import ts from "typescript"
import type { CodeFile, Text } from "./texts.ts"

/** So many consecutive words of one message are a sentence, and no longer a name or a distinctive part. */
const mostWords = 5
/** A text of so many lines is a whole screen, and screens are compared as they are. */
const linesOfScreen = 8

/** Texts of src that are not cadre's own words. Tests may spell them out. */
const exemptSources: readonly { readonly folder: string; readonly why: string }[] = [
  {
    folder: "src/faces/testing/model-server/",
    why: "the strict model server answers in providers' own sentences",
  },
  { folder: "src/faces/testing/model-contract/", why: "the contract of models has providers' own sentences" },
  { folder: "src/world/models/facts/", why: "facts about models are data with their sources" },
]

/** Sentences that another tool or its design spells out. cadre says them word for word, so tests do too. */
const contracts: readonly { readonly of: string; readonly texts: readonly string[] }[] = [
  {
    of: "the plan of acai's subagents",
    texts: [
      "Name can only contain lowercase letters, numbers, and hyphens",
      "Name cannot start or end with a hyphen",
      "Name must be 1-64 characters long",
      "Description must be 1-1024 characters long",
      "Timeout must be a number between 1 and 3600 seconds",
    ],
  },
  {
    of: "the specification of Codex's subagents",
    texts: [
      "name must start with a lowercase letter, include only lowercase letters, digits, hyphen, or underscore, and be 3-64 characters long",
      "model_config.provider must be a non-empty string when set",
      "model_config.endpoint must be a non-empty string when set",
      "model_config.parameters keys must be non-empty strings",
    ],
  },
  {
    of: "the definition of Remora's subagents",
    texts: [
      "Subagent definition must be a mapping",
      "Subagent definition must include exactly one submit_result tool",
      "Tool parameters must define type: object",
      "Tool parameters must be a valid JSON Schema",
      "Tool parameters should set additionalProperties: false for strict mode",
      "Invalid Jinja2 template in node_context of",
    ],
  },
  {
    of: "parseMarkdownFile of instructor-php",
    texts: [
      "Invalid markdown format: missing YAML frontmatter",
      "Invalid markdown format: system prompt (content after frontmatter) cannot be empty",
      "must start with lowercase letter and contain only lowercase letters, numbers, and hyphens",
      "Invalid 'model' field: must be string (preset name) or object (LLMConfig)",
      "Invalid 'skills' field: must be comma-separated string or array",
      "Invalid 'tools' field: must be comma-separated string or array",
      "Missing 'systemPrompt' field in JSON data",
      "Failed to read agent definition file",
    ],
  },
  { of: "vLLM's answers", texts: ["max_tokens must be at least 1, got"] },
]

/** The literals of tests that hold more than five consecutive words of one message of src. */
export function assertedMessages(sources: readonly CodeFile[], tests: readonly CodeFile[]): readonly Text[] {
  const messages = new Set(
    sources
      .filter(({ file }) => !exemptSources.some(({ folder }) => file.startsWith(folder)))
      .flatMap((source) => literalsIn(source).flatMap(({ text }) => runsOfWords(text))),
  )
  for (const contract of contracts.flatMap(({ texts }) => texts.flatMap(runsOfWords)))
    messages.delete(contract)
  return tests.flatMap((test) =>
    literalsIn(test)
      .filter(({ node, text }) => !isTitle(node) && text.split("\n").length < linesOfScreen)
      .filter(({ text }) => runsOfWords(text).some((run) => messages.has(run)))
      .map(({ line, text }) => ({
        kind: "message",
        file: test.file,
        line,
        text: text.replaceAll(inserted, "…").replace(/\s+/g, " "),
      })),
  )
}

/** Stands where a value is inserted, and ends a run of words. */
const inserted = "\0"

interface Literal {
  readonly node: ts.Node
  readonly line: number
  readonly text: string
}

function literalsIn({ file, code }: CodeFile): readonly Literal[] {
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true)
  const literals: Literal[] = []
  const visit = (node: ts.Node): void => {
    const text = textOf(node)
    if (text !== undefined)
      literals.push({
        node,
        line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1,
        text,
      })
    ts.forEachChild(node, visit)
  }
  visit(source)
  return literals
}

/** A string, or a regular expression without its escapes. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text
  if (ts.isRegularExpressionLiteral(node)) return node.text.replace(/\\(.)/g, "$1")
  if (!ts.isTemplateExpression(node)) return undefined
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join(inserted)
}

/** Every six consecutive words of prose, without punctuation. Lines of keys and values are no prose. */
function runsOfWords(text: string): readonly string[] {
  const prose = text.includes("\n") ? text.replace(/^\s*(?:- )?[a-z_][\w-]*:(?: .*)?$/gm, inserted) : text
  return prose.split(inserted).flatMap((piece) => {
    const words = piece
      .split(/\s+/)
      .map((word) => word.replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, "").toLowerCase())
      .filter((word) => word !== "")
    return words
      .map((_, first) => words.slice(first, first + mostWords + 1))
      .filter((run) => run.length > mostWords && run.filter((word) => /[a-z]{2}/.test(word)).length > 3)
      .map((run) => run.join(" "))
  })
}

/** The title of a test, or of a row or entry of its table, which says what happens and asserts nothing. */
function isTitle(node: ts.Node): boolean {
  const { parent } = node
  if (ts.isPropertyAssignment(parent)) return parent.name === node
  if (ts.isCallExpression(parent))
    return parent.arguments[0] === node && /^(?:test|it|describe)\b/.test(parent.expression.getText())
  return (
    ts.isArrayLiteralExpression(parent) &&
    parent.elements.length > 1 &&
    parent.elements[0] === node &&
    /^[a-z'"][^.:`]*$/.test((node as ts.StringLiteralLike).text ?? "")
  )
}
