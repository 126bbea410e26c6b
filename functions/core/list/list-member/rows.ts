import { textsByField } from '#core/refusal.ts';
import { Address } from '#shared/address.ts';
import type { RowResult } from '#shared/list-member.ts';
import { changed, faultOf, faultOfSize, type MetadataChange, wholeFaultOf } from '#shared/metadata.ts';
import { warningsOf } from './warnings.ts';

type Texts = Record<string, string[]>;
/** A valid row of the public API. */
export type Row = {
  index: number;
  email: string;
  is_subscribed: boolean | undefined;
  metadata: MetadataChange;
  warnings: Texts;
};

const OWN_FIELDS = ['email', 'is_subscribed'];

/** The valid rows, and the errors of the others. A call may contain an address only once. */
export function readRows(members: unknown[]): { rows: Row[]; rejected: RowResult[] } {
  const rows: Row[] = [];
  const rejected: RowResult[] = [];
  const seen = new Map<string, number>();
  members.forEach((member, index) => {
    const { row, email, errors } = readRow(member, index, seen);
    if (row) rows.push(row);
    else rejected.push({ index, email, status: 'rejected', errors });
    if (row) seen.set(row.email, index);
  });
  return { rows, rejected };
}

function readRow(member: unknown, index: number, seen: Map<string, number>) {
  if (typeof member !== 'object' || member === null || Array.isArray(member)) {
    return { email: null, errors: { member: ['A member must be an object with an email'] } };
  }
  const { email: given, is_subscribed, ...fields } = member as Record<string, unknown>;
  const metadata = fields as MetadataChange;
  const address = Address.safeParse(given ?? '');
  const email = address.success ? address.data : null;
  const earlier = email === null ? undefined : seen.get(email);
  const faults: Fault[] = [
    ...(address.error?.issues ?? []).map(({ message }): Fault => ['email', message]),
    ...(earlier === undefined
      ? []
      : [['email', `This address is in the call twice: see row ${earlier}`] as Fault]),
    ...(is_subscribed === undefined || typeof is_subscribed === 'boolean'
      ? []
      : [['is_subscribed', 'is_subscribed must be true or false'] as Fault]),
    ...faultsOf(member, metadata),
  ];
  if (email === null || faults.length > 0) {
    const shown = email ?? (typeof given === 'string' ? given.slice(0, LONGEST_SHOWN) : null);
    return { email: shown, errors: textsByField(faults) };
  }
  const row: Row = {
    index,
    email,
    is_subscribed: is_subscribed as boolean | undefined,
    metadata,
    warnings: warningsOf(metadata),
  };
  return { row, email, errors: {} };
}

type Fault = [field: string, message: string];

function faultsOf(member: object, fields: MetadataChange): Fault[] {
  const size = faultOfSize(fields);
  if (size) return [['metadata', size]];
  const faults = Object.entries(member).flatMap(([key, value]): Fault[] => {
    const fault = OWN_FIELDS.includes(key) ? undefined : faultOf(key, value);
    return fault ? [[key, fault]] : [];
  });
  const whole = faults.length === 0 && wholeFaultOf(changed({}, fields));
  return whole ? [['metadata', whole]] : faults;
}

const LONGEST_SHOWN = 254;
