/** The files that a reload found to be added, changed or removed. */
export interface RegistryChanges {
  /** Paths of files that are new. */
  readonly added: readonly string[]
  /** Paths of files whose content is another. */
  readonly changed: readonly string[]
  /** Paths of files that are gone. */
  readonly removed: readonly string[]
}
