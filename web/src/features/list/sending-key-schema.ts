import * as z from 'zod/mini';
import { SendingKeyChange } from '../../../../shared/list.ts';

const { mailgun_sending_key, mailgun_webhook_signing_key, mailgun_region } = SendingKeyChange.shape;

/** Left empty, a key stays as it is. */
const left = z.pipe(
  z.string(),
  z.transform((text): string | null | undefined => text.trim() || undefined),
);
const required = z.string().check(z.refine(text => text.trim() !== '', 'Sending key is required'));

/** The form of the sending key, where there is one already and where there is none. */
export const sendingKeyForm = (isSet: boolean) =>
  z.object({
    mailgun_sending_key: z.pipe(isSet ? left : z.pipe(required, left), mailgun_sending_key),
    mailgun_webhook_signing_key: z.pipe(left, mailgun_webhook_signing_key),
    mailgun_region,
  });
