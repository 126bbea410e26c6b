import * as z from 'zod/mini';
import { changed, type Metadata, wholeFaultOf } from '#shared/metadata.ts';
import { errorsOf, parseEdited, parseValue } from '#web/entities/list-member/metadata-value.ts';

const KEY_EXISTS = 'This key is there already';

/** The schema of one entry, validated together with the other metadata of the member. */
export const entryForm = (metadata: Metadata, editing?: string) =>
  z.pipe(
    z.object({ key: z.string(), value: z.string() }),
    z.transform(({ key: typedKey, value: typedValue }, context) => {
      const key = typedKey.trim();
      const value = parseEdited(typedValue, editing === undefined ? undefined : metadata[editing]);
      const addError = (field: string, message: string | undefined) => {
        if (message) context.issues.push({ code: 'custom', input: typedValue, path: [field], message });
      };
      const errors = errorsOf(key, value);
      addError(
        'key',
        errors.key ?? (key !== editing && Object.hasOwn(metadata, key) ? KEY_EXISTS : undefined),
      );
      addError('value', errors.value ?? wholeFaultOf(changed(metadata, { [key]: value })));
      return { key, value };
    }),
  );

const Rows = z.array(z.object({ key: z.string(), value: z.string() }));

/** Converts the rows of the form to metadata; empty rows are ignored. */
export const MetadataRows = z.pipe(
  Rows,
  z.transform((rows, context): Metadata => {
    const metadata: Metadata = {};
    rows.forEach((row, index) => {
      const key = row.key.trim();
      const value = parseValue(row.value);
      if (key === '' && value === '') return;
      const errors = errorsOf(key, value);
      if (!errors.key && Object.hasOwn(metadata, key)) errors.key = KEY_EXISTS;
      for (const [field, message] of Object.entries(errors)) {
        context.issues.push({ code: 'custom', input: rows, path: [index, field], message });
      }
      if (!errors.key) metadata[key] = value;
    });
    const whole = context.issues.length === 0 ? wholeFaultOf(metadata) : undefined;
    const last = rows.length - 1;
    if (whole) context.issues.push({ code: 'custom', input: rows, path: [last, 'value'], message: whole });
    return metadata;
  }),
);
