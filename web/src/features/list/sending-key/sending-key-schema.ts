import * as z from 'zod/mini';
import { SendingKeyChange } from '#shared/list.ts';

const { mailgun_sending_key, mailgun_webhook_signing_key, mailgun_region } = SendingKeyChange.shape;

/** An empty input leaves the key as it is. */
const optional = z.pipe(
  z.string(),
  z.transform((text): string | null | undefined => text.trim() || undefined),
);
const required = z.string().check(z.refine(text => text.trim() !== '', 'Sending key is required'));

/** The schema of the form: the sending key is required unless one is set. */
export const sendingKeyForm = (isSet: boolean) =>
  z.object({
    mailgun_sending_key: z.pipe(isSet ? optional : z.pipe(required, optional), mailgun_sending_key),
    mailgun_webhook_signing_key: z.pipe(optional, mailgun_webhook_signing_key),
    mailgun_region,
  });
