/** `text` is the source text, so a string token begins with its quote and never equals a word or operator. */
export type Token =
  | { readonly type: "name" | "operator"; readonly text: string; readonly offset: number }
  | { readonly type: "string"; readonly text: string; readonly offset: number; readonly value: string }
  | {
      readonly type: "number"
      readonly text: string
      readonly offset: number
      readonly value: bigint | number
    }
  /** An f-string. */
  | {
      readonly type: "format"
      readonly text: string
      readonly offset: number
      readonly parts: readonly (string | FieldTokens)[]
    }
  | { readonly type: "end"; readonly text: ""; readonly offset: number }

/** The tokens between the braces of an f-string. */
export interface FieldTokens {
  readonly tokens: readonly Token[]
  /** The source text, for `{value=}`. */
  readonly text: string
  readonly conversion: "s" | "r" | "a" | undefined
  readonly spec: readonly (string | FieldTokens)[]
}
