export interface ServedUse {
  readonly provider: string
  readonly model: string
  readonly endpoint?: string
  /** The host whose settings apply. Absent: cadre's own settings. */
  readonly configuration?: string
}
