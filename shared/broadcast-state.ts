import { OPEN_AFTER_SENT_MS, RESUMED_WITHIN_MS } from './limits.ts';

/* Beside the schemas of broadcast.ts, so that pages that read a broadcast load none of them. */

export const BROADCAST_STATUSES = ['draft', 'scheduled', 'sending', 'sent', 'cancelled', 'stopped'] as const;
export type BroadcastStatus = (typeof BROADCAST_STATUSES)[number];

/** Why nobody else could be mailed. */
export const STOPPED = {
  organization_off: 'The organization was not active',
  guard_off: 'Too many of its emails bounced or were complained about',
  list_off: 'A list was not active',
  no_key: 'A list had no sending key',
  not_verified: 'The domain of a list was not verified',
  no_content: 'It had no active content',
  stopped: 'Sending was stopped by the operator of this service',
  stale: 'Some of its emails could not be sent within 24 hours',
} as const;
export type StoppedReason = keyof typeof STOPPED;

type Progress = { status: BroadcastStatus; ended_at?: string | null; stopped?: { at: string } | null };

/** Some of it may still be sent. */
export const isOpen = ({ status, ended_at }: Progress, now: Date): boolean =>
  status === 'scheduled' ||
  status === 'sending' ||
  (status === 'sent' && now.getTime() - Date.parse(ended_at ?? '') <= OPEN_AFTER_SENT_MS);

/** Until when the others may still get it. */
export const resumableUntil = ({ stopped }: Pick<Progress, 'stopped'>): number =>
  Date.parse(stopped?.at ?? '') + RESUMED_WITHIN_MS;

export const isResumable = (of: Progress, now: Date): boolean =>
  of.status === 'stopped' && now.getTime() <= resumableUntil(of);
