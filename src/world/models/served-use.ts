export interface ServedUse {
  readonly provider: string
  readonly model: string
  readonly endpoint?: string
  /** Whose settings say how it is asked, where that is a host's. */
  readonly configuration?: string
}
