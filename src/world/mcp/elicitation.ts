import type { QuestionAnswer, ToolQuestion } from "../../agent/question.ts"
import type { JsonMap } from "../../ground/message.ts"
import type { FormField } from "../../ground/question-form.ts"
import { cleanText } from "./plain-text.ts"
import { readForm } from "./read-form.ts"

/** Reads a server's question for the person. Only its words are taken: who asks, we say ourselves. */
export function readElicitation(
  server: string,
  { message, mode = "form", requestedSchema, url }: JsonMap,
): { readonly question: ToolQuestion } | { readonly problem: string } {
  if (typeof message !== "string") return { problem: "the question has no `message`" }
  const question = { from: `the MCP server ${server}`, text: cleanText(message, mostText) }
  if (mode === "url")
    return typeof url === "string" && isVisitable(url)
      ? { question: { ...question, url: new URL(url).href } }
      : { problem: "the address of the question is neither https nor on this machine" }
  if (mode !== "form") return { problem: `the mode ${JSON.stringify(mode).slice(0, 100)} is unknown` }
  const form = readForm(requestedSchema)
  return "problem" in form ? form : { question: { ...question, form: form.fields.map(cleanField) } }
}

/** The answer in the words of the protocol. */
export const toElicitationResult = (answer: QuestionAnswer): JsonMap =>
  answer.action === "accept" && answer.content
    ? { action: "accept", content: answer.content }
    : { action: answer.action }

const mostText = 4_096
const mostLabel = 500

/** Labels are shown to the person, so nothing in them may hide or control a terminal. Names and values stay as they are. */
const cleanField = ({ title, description, options, ...field }: FormField): FormField => ({
  ...field,
  ...(title !== undefined && { title: cleanText(title, mostLabel) }),
  ...(description !== undefined && { description: cleanText(description, mostLabel) }),
  ...(options && {
    options: options.map(({ value, title: label }) => ({
      value,
      ...(label !== undefined && { title: cleanText(label, mostLabel) }),
    })),
  }),
})

function isVisitable(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname, username, password } = new URL(url)
  if (username !== "" || password !== "") return false
  return (
    protocol === "https:" ||
    (protocol === "http:" && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname))
  )
}
