export interface ServedUse {
  readonly provider: string
  readonly model: string
  readonly endpoint?: string
  readonly configuration?: "codex"
}
