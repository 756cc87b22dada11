/** One line of possibly invalid YAML. */
export interface YamlLine {
  readonly start: number
  readonly text: string
  /** `text` is a line of text at the level of keys; `inner` is an indented line, which belongs to the line above. */
  readonly type: "blank" | "comment" | "key" | "text" | "inner"
  readonly key?: string
  /** `known`: a key of the format, which ends the entry above it. */
  readonly keyKind?: "known" | "narrowing" | "heading" | "word"
  readonly isTight?: true
}
