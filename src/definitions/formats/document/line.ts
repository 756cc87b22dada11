/** One line of YAML that may be broken. */
export interface Line {
  readonly start: number
  readonly text: string
  /** `text` stands where a key would; `inner` is indented, and belongs to what is above it. */
  readonly type: "blank" | "comment" | "key" | "text" | "inner"
  readonly key?: string
  /** `known`: it ends whatever is above it. */
  readonly is?: "known" | "narrowing" | "heading" | "word"
  readonly isTight?: true
}
