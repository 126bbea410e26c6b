import * as z from 'zod/mini';

const required = z.string().check(z.minLength(1));
const printable = z.string().check(z.regex(/^[\x20-\x7e]*$/, 'Only printable ASCII characters'));

// https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_MessageHeader.html
const Header = z
  .strictObject({
    Name: z.string().check(z.regex(/^[!-9;-~]{1,126}$/)),
    Value: printable.check(z.maxLength(995)),
  })
  .check(z.refine(({ Name, Value }) => Name.length + Value.length <= 996, 'At most 996 characters'));
const Headers = z._default(z.array(Header).check(z.maxLength(15)), []);
// https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_MessageTag.html
const Tag = z.strictObject({
  Name: z.string().check(z.regex(/^([\w-]{1,256}|ses:feedback-id-[ab])$/)),
  Value: z.string().check(z.regex(/^[\w-]{1,256}$/)),
});
const Tags = z._default(z.array(Tag).check(z.maxLength(50)), []);
const Data = z.string().check(z.maxLength(262_144));
const status = z.enum(['ENABLED', 'DISABLED']);

// https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendBulkEmail.html
export const SendBulkEmail = z.strictObject({
  FromEmailAddress: required.check(z.regex(/^[\x20-\x7e]*$/)),
  ReplyToAddresses: z._default(z.array(printable), []),
  DefaultEmailTags: Tags,
  DefaultContent: z.strictObject({
    Template: z.strictObject({
      TemplateContent: z.strictObject({ Subject: z.string(), Html: z.string(), Text: z.string() }),
      TemplateData: Data,
      Headers,
    }),
  }),
  BulkEmailEntries: z
    .array(
      z.strictObject({
        Destination: z.strictObject({ ToAddresses: z.array(required).check(z.length(1)) }),
        ReplacementEmailContent: z.strictObject({
          ReplacementTemplate: z.strictObject({ ReplacementTemplateData: Data }),
        }),
        ReplacementHeaders: Headers,
        ReplacementTags: Tags,
      }),
    )
    .check(z.minLength(1), z.maxLength(50)),
  ConfigurationSetName: required,
  TenantName: required,
  ConfigurationOverrides: z.optional(
    z.strictObject({
      Tracking: z.strictObject({ OpenTrackingEnabled: status, ClickTrackingEnabled: status }),
    }),
  ),
});
export type Bulk = z.output<typeof SendBulkEmail>;
