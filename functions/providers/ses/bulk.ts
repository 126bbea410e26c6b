import { domainToASCII } from 'node:url';
import type { BulkEmailEntry, MessageHeader, SendBulkEmailRequest } from '@aws-sdk/client-sesv2';
import type { Access, OutgoingEmail } from '#core/provider.ts';
import { encodedWords } from '#shared/email/encode.ts';
import { type Syntax, WORD_JOINER, writeOnce } from '../write-once.ts';
import type { Place } from './client.ts';

const OPENING = /\{(?=\{)/g;

/**
 * Simple substitutions of Handlebars, whose values are not escaped:
 * https://docs.aws.amazon.com/ses/latest/dg/send-personalized-email-api.html
 */
const SYNTAX: Syntax = {
  variable: name => `{{${name}}}`,
  inHtml: text => text.replace(OPENING, '&#123;'),
  inLine: text => text.replace(OPENING, `{${WORD_JOINER}`),
  // A third brace would make another kind of variable, and a backslash none.
  joins: { before: /[{\\]+$/, after: /^\}+/ },
};

/** Headers that SES writes itself, or that are fields of a call. */
const REPLY_TO = 'Reply-To';
const FEEDBACK = 'Feedback-ID';
const FIELDS = ['Message-Id', REPLY_TO, FEEDBACK];

// https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_MessageHeader.html
const LONGEST_VALUE = 995;
const LONGEST_HEADER = 996;
const PRINTABLE = /^[\x20-\x7e]*$/;
// https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_MessageTag.html
const TAG = /^[\w-]{1,256}$/;

/** Whether SES can take this email as it is: a header that is cut would be another one. */
export function isSendable(email: OutgoingEmail): boolean {
  const { to, from, id, headers } = email;
  return (
    [to, addressIn(from), headers[REPLY_TO]].every(
      one => one === undefined || addressOf(one) !== undefined,
    ) &&
    (id === undefined || TAG.test(id)) &&
    headersOf(email).every(
      ({ Name = '', Value = '' }) =>
        Value.length <= LONGEST_VALUE &&
        Name.length + Value.length <= LONGEST_HEADER &&
        PRINTABLE.test(Value),
    )
  );
}

/** Undefined for an address that takes a mail server with SMTPUTF8, which SES is not. */
function addressOf(address: string): string | undefined {
  const at = address.lastIndexOf('@');
  const domain = domainToASCII(address.slice(at + 1));
  return domain && PRINTABLE.test(address.slice(0, at)) ? address.slice(0, at + 1) + domain : undefined;
}

const NAMED = /^"(.*)" <([^<>]*)>$/s;
const addressIn = (from: string): string => NAMED.exec(from)?.[2] ?? from;

function fromOf(from: string): string {
  const [, name] = NAMED.exec(from) ?? [];
  const address = addressOf(addressIn(from)) ?? '';
  return name === undefined ? address : `${encodedWords(name)} <${address}>`;
}

const headersOf = ({ headers }: OutgoingEmail): MessageHeader[] =>
  Object.entries(headers).flatMap(([Name, Value]) => (FIELDS.includes(Name) ? [] : [{ Name, Value }]));

// An address that takes everything and delivers nothing: https://docs.aws.amazon.com/ses/latest/dg/send-an-email-from-console.html
const simulated = ({ id = '' }: OutgoingEmail) => `success${id && '+'}${id}@simulator.amazonses.com`;

/** What the emails share is the template, what differs is replaced in it. */
export function bulkOf(access: Access, place: Place, emails: OutgoingEmail[]): SendBulkEmailRequest {
  const [first] = emails as [OutgoingEmail];
  const { subject, html, text, values } = writeOnce(emails, SYNTAX);
  const variables = values();
  const isShared = ({ Name = '', Value }: MessageHeader) =>
    emails.every(({ headers }) => headers[Name] === Value);
  const replyTo = first.headers[REPLY_TO];
  const tags = feedbackTags(first.headers[FEEDBACK]);
  const entries = emails.map(
    (email, at): BulkEmailEntry => ({
      Destination: { ToAddresses: [access.testMode ? simulated(email) : (addressOf(email.to) ?? email.to)] },
      ReplacementEmailContent: {
        ReplacementTemplate: { ReplacementTemplateData: JSON.stringify(variables[at]) },
      },
      ReplacementHeaders: headersOf(email).filter(header => !isShared(header)),
      ReplacementTags: [...(email.id === undefined ? [] : [{ Name: 'send', Value: email.id }]), ...tags],
    }),
  );
  return {
    FromEmailAddress: fromOf(first.from),
    ...(replyTo !== undefined && { ReplyToAddresses: [addressOf(replyTo) ?? replyTo] }),
    DefaultContent: {
      Template: {
        TemplateContent: { Subject: subject, Html: html, Text: text },
        TemplateData: '{}',
        Headers: headersOf(first).filter(isShared),
      },
    },
    BulkEmailEntries: entries,
    ConfigurationSetName: place.configurationSet,
    TenantName: place.tenant,
    // Links and pixels are our own.
    ConfigurationOverrides: {
      Tracking: { OpenTrackingEnabled: 'DISABLED', ClickTrackingEnabled: 'DISABLED' },
    },
  };
}

/**
 * SES writes the Feedback-ID itself, and begins it with the values of two tags:
 * https://docs.aws.amazon.com/ses/latest/dg/monitor-using-event-publishing.html
 */
const feedbackTags = (feedback = '') =>
  feedback
    .split(':', 2)
    .flatMap((Value, at) => (TAG.test(Value) ? [{ Name: `ses:feedback-id-${'ab'[at]}`, Value }] : []));
