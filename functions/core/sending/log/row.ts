import type { EmailSend } from '../../../../shared/send.ts';
import type { Outcome } from '../batch/batch.ts';
import type { Position } from './position.ts';

export type End = { status: EmailSend['status']; reason: EmailSend['reason']; at: string };

/** An email as its source knows it: what is missing is read where it is shown. */
export type Row = Pick<EmailSend, 'id'> & {
  position: Position;
  hash: string;
  /** Without a number, it was never claimed. */
  seq?: number;
  list: string;
  automation: string;
  /** Of one that was skipped: why, and when it was due. Else what became of it, and when it was sent. */
  end?: End;
};

export type RowPart = {
  rows: Row[];
  reached: Position | undefined;
  since: string | undefined;
};

export const endOf = ({ status, reason }: Outcome, at: string): End => ({ status, reason, at });
