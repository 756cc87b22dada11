export interface StandIn {
  readonly place: string
  /** Device, inode and mode: another folder that is made there later has others. */
  readonly id: string
}
