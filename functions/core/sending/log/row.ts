import type { EmailSend } from '#shared/send.ts';
import type { Outcome } from '../batch/outcome.ts';
import type { Position } from './position.ts';

export type End = { status: EmailSend['status']; reason: EmailSend['reason']; at: string };

/** An email, with what the items say in which it was found. The rest is read for the rows that are shown (`shown.ts`). */
export type Row = Pick<EmailSend, 'id'> & {
  position: Position;
  hash: string;
  /** Undefined for a skipped email, which has no claim. */
  seq?: number;
  list: string;
  automation: string;
  /** The outcome, and when it was sent. For a skipped email, the reason, and when it was due. */
  end?: End;
};

export type RowPart = {
  rows: Row[];
  reached: Position | undefined;
  since: string | undefined;
};

export const endOf = ({ status, reason }: Outcome, at: string): End => ({ status, reason, at });
