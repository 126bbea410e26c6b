import * as z from 'zod/mini';
import { changed, type Metadata, wholeFaultOf } from '../../../../shared/metadata.ts';
import { faultsOf, readAgain, readValue } from './metadata-value.ts';

const TAKEN = 'This key is there already';

/** One entry of metadata among others: read, and held against what can be kept. */
export const entryForm = (among: Metadata, editing?: string) =>
  z.pipe(
    z.object({ key: z.string(), value: z.string() }),
    z.transform(({ key: typedKey, value: typedValue }, context) => {
      const key = typedKey.trim();
      const value = readAgain(typedValue, editing === undefined ? undefined : among[editing]);
      const fault = (field: string, message: string | undefined) => {
        if (message) context.issues.push({ code: 'custom', input: typedValue, path: [field], message });
      };
      const faults = faultsOf(key, value);
      fault('key', faults.key ?? (key !== editing && Object.hasOwn(among, key) ? TAKEN : undefined));
      fault('value', faults.value ?? wholeFaultOf(changed(among, { [key]: value })));
      return { key, value };
    }),
  );

const Rows = z.array(z.object({ key: z.string(), value: z.string() }));

/** Rows of keys and values as metadata; rows left empty are none. */
export const MetadataRows = z.pipe(
  Rows,
  z.transform((rows, context): Metadata => {
    const metadata: Metadata = {};
    rows.forEach((row, index) => {
      const key = row.key.trim();
      const value = readValue(row.value);
      if (key === '' && value === '') return;
      const faults = faultsOf(key, value);
      if (!faults.key && Object.hasOwn(metadata, key)) faults.key = TAKEN;
      for (const [field, message] of Object.entries(faults)) {
        context.issues.push({ code: 'custom', input: rows, path: [index, field], message });
      }
      if (!faults.key) metadata[key] = value;
    });
    const whole = context.issues.length === 0 ? wholeFaultOf(metadata) : undefined;
    const last = rows.length - 1;
    if (whole) context.issues.push({ code: 'custom', input: rows, path: [last, 'value'], message: whole });
    return metadata;
  }),
);
