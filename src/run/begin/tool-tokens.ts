import type { Tool } from "../../agent/tool.ts"

/** Estimates the tokens that a tool's description and schema cost in every request. */
export const countToolTokens = ({ name, description, input }: Pick<Tool, "name" | "description" | "input">) =>
  countTextTokens(JSON.stringify({ name, description, input }))

/** Estimates the tokens of a text that is sent with every request, at four bytes a token. */
export const countTextTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4)
