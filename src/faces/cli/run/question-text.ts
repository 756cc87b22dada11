import type { QuestionAnswer, ToolQuestion } from "../../../agent/question.ts"
import { escapeText } from "../../../ground/diagnostics/escape-text.ts"
import type { Json } from "../../../ground/message.ts"
import { checkAnswer, type FormField } from "../../../ground/question-form.ts"
import type { PendingApproval } from "../../../run/drive/proof.ts"

type Question = NonNullable<PendingApproval["question"]>

/** A program's question in lines of safe text. Every line of its words is marked, so that none can pass for ours. */
export const writeQuestionLines = ({ from, text, url, form = [] }: Question): readonly string[] => [
  `${escapeText(from)} asks, in its own words:`,
  ...marked(text),
  ...(url === undefined ? [] : ["It wants you to visit this address:", ...marked(url)]),
  ...(form.length === 0 ? [] : ["It wants these values:", ...form.flatMap(fieldLines)]),
]

/** The question in one line. */
export const describeQuestion = ({ from, text, url }: ToolQuestion): string =>
  `${from} asks: ${JSON.stringify(text)}${url === undefined ? "" : ` (${url})`}`

/**
 * Asks the person for the answer. Undefined: the input has ended, and the question stays open. A form is asked field by
 * field; a value that does not fit is asked for again.
 */
export async function askQuestion(
  question: Question,
  who: string,
  ask: (text: string) => Promise<string | undefined>,
): Promise<QuestionAnswer | undefined> {
  const { url, form = [] } = question
  const offer =
    url !== undefined
      ? "Open it yourself if you trust it. Did you? [y/N] "
      : form.length > 0
        ? "Answer it? [y/N] "
        : "Say yes? [y/N] "
  const first = await ask(
    `${escapeText(who)} is asked something.\n${writeQuestionLines(question).join("\n")}\nDo not type a password or a key. ${offer}`,
  )
  if (first === undefined) return undefined
  if (!/^\s*y(es)?\s*$/i.test(first)) return { action: "decline" }
  const content: Record<string, Json> = {}
  for (const field of form) {
    const value = await askField(field, ask)
    if (value === "ended") return undefined
    if (value !== undefined) content[field.name] = value.is
  }
  return form.length > 0 ? { action: "accept", content } : { action: "accept" }
}

async function askField(
  field: FormField,
  ask: (text: string) => Promise<string | undefined>,
): Promise<{ readonly is: Json } | "ended" | undefined> {
  let problem = ""
  for (;;) {
    const line = await ask(`${problem}${fieldLines(field).join("\n")}\n> `)
    if (line === undefined) return "ended"
    const words = line.trim()
    if (words === "" && field.default !== undefined) return { is: field.default }
    if (words === "" && !field.required) return undefined
    const value = readValue(field, words)
    const [wrong] = checkAnswer([field], { [field.name]: value })
    if (wrong === undefined) return { is: value }
    problem = `${escapeText(wrong)}.\n`
  }
}

function readValue({ type }: FormField, words: string): Json {
  switch (type) {
    case "boolean":
      return /^(?:y|yes|true)$/i.test(words) ? true : /^(?:n|no|false)$/i.test(words) ? false : words
    case "number":
    case "integer":
      return words !== "" && Number.isFinite(Number(words)) ? Number(words) : words
    case "choices":
      return words === "" ? [] : words.split(",").map((one) => one.trim())
    case "choice":
    case "text":
      return words
  }
}

function fieldLines({ name, title, description, type, options, required, ...more }: FormField): string[] {
  const values = options?.map(({ value, title: label }) => (label ? `${value} (${label})` : value))
  const facts = [
    type === "choices" ? "some of them, with commas" : type === "choice" ? "one of them" : type,
    ...(required ? [] : ["may be left out"]),
    ...(more.default === undefined ? [] : [`default ${JSON.stringify(more.default)}`]),
  ]
  return marked(
    [
      `${name}${title && title !== name ? ` (${title})` : ""}: ${facts.join(", ")}`,
      ...(description ? [`  ${description}`] : []),
      ...(values ? [`  ${values.join(" | ")}`] : []),
    ].join("\n"),
  )
}

const marked = (text: string): string[] => text.split("\n").map((line) => `  | ${escapeText(line)}`)
