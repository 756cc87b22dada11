export interface StandIn {
  readonly place: string
  /** Device, inode and mode: another folder that somebody makes there has others. */
  readonly id: string
}
