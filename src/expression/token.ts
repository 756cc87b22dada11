/** `text` is as it is written, so a string token begins with its quote and never looks like a word or operator. */
export type Token =
  | { readonly type: "name" | "operator"; readonly text: string; readonly offset: number }
  | { readonly type: "string"; readonly text: string; readonly offset: number; readonly value: string }
  | {
      readonly type: "number"
      readonly text: string
      readonly offset: number
      readonly value: bigint | number
    }
  | { readonly type: "end"; readonly text: ""; readonly offset: number }
