import {
  CreateEmailIdentityCommand,
  CreateTenantCommand,
  CreateTenantResourceAssociationCommand,
  DeleteEmailIdentityCommand,
  DeleteTenantCommand,
  DeleteTenantResourceAssociationCommand,
  type DkimAttributes,
  GetEmailIdentityCommand,
  SESv2Client,
} from '@aws-sdk/client-sesv2';
import type { Domains, ProviderDomain } from '#core/provider.ts';
import { env, withTimeout } from '#functions/platform/runtime.ts';
import { placeOf } from './client.ts';

// Each call may be repeated. SES takes about one of a kind in a second, so the next one waits for its turn between attempts; a
// check still ends in the time of its function where none is answered.
const client = new SESv2Client({ maxAttempts: 4, ...withTimeout(2_000) });

/** The tag of the identities of a stage. The rights of its functions depend on it, so it is never put on another identity. */
const TAG = 'letterflow:stage';

const tags = () => [{ Key: TAG, Value: env('SES_STAGE') }];
const tenantOf = (organization: number) => placeOf(organization).tenant;
const arnOf = (resource: string) => `${env('SES_ARN')}:${resource}`;
const identityArn = (domain: string) => arnOf(`identity/${domain}`);

type Names = readonly string[];

/** The answer of SES, or the name of its exception, if that is one of these. */
async function answerOr<const N extends Names, T>(names: N, call: Promise<T>): Promise<T | N[number]> {
  return call.catch(error => {
    if (names.includes(error.name)) return error.name as N[number];
    throw error;
  });
}

// The rights to what is there end at the tag of the stage: of what is not there, or has another tag, SES says this too.
const NOT_OURS = ['NotFoundException', 'AccessDeniedException'] as const;

async function get(domain: string): Promise<ProviderDomain | undefined> {
  const found = await answerOr(NOT_OURS, client.send(new GetEmailIdentityCommand({ EmailIdentity: domain })));
  if (typeof found === 'string') return undefined;
  const isOurs = found.Tags?.some(({ Key, Value }) => Key === TAG && Value === env('SES_STAGE'));
  return isOurs ? read(domain, found.VerifiedForSendingStatus, found.DkimAttributes) : undefined;
}

async function create(domain: string): Promise<ProviderDomain | 'foreign' | 'refused'> {
  const created = await answerOr(
    ['AlreadyExistsException', 'BadRequestException'],
    client.send(
      new CreateEmailIdentityCommand({
        EmailIdentity: domain,
        ConfigurationSetName: env('SES_CONFIGURATION_SET'),
        Tags: tags(),
      }),
    ),
  );
  if (created === 'BadRequestException') return 'refused';
  // Another call may have created it since it was not found.
  if (created === 'AlreadyExistsException') return (await get(domain)) ?? 'foreign';
  return read(domain, created.VerifiedForSendingStatus, created.DkimAttributes);
}

const read = (
  domain: string,
  isVerified = false,
  { Status, Tokens = [], SigningHostedZone = 'dkim.amazonses.com' }: DkimAttributes = {},
): ProviderDomain => ({
  isVerified,
  hasFailed: Status === 'FAILED',
  records: Tokens.map(token => ({
    name: `${token}._domainkey.${domain}`,
    value: `${token}.${SigningHostedZone}`.toLowerCase(),
  })),
});

const associate = (organization: number, ResourceArn: string) =>
  answerOr(
    ['AlreadyExistsException'],
    client.send(
      new CreateTenantResourceAssociationCommand({ TenantName: tenantOf(organization), ResourceArn }),
    ),
  );

/** The domains of organizations in the account of the stage, and a tenant for each organization. */
export const domains: Domains = {
  ensure: async domain => (await get(domain)) ?? create(domain),
  async remove(domain) {
    if (!(await get(domain))) return;
    await answerOr(NOT_OURS, client.send(new DeleteEmailIdentityCommand({ EmailIdentity: domain })));
  },
  async admit(organization, domain) {
    await answerOr(
      ['AlreadyExistsException'],
      client.send(
        new CreateTenantCommand({
          TenantName: tenantOf(organization),
          Tags: tags(),
          // Whoever bounced or complained at another organization may still be mailed by this one.
          SuppressionAttributes: { SuppressedReasons: ['BOUNCE', 'COMPLAINT'], SuppressionScope: 'TENANT' },
        }),
      ),
    );
    await associate(organization, identityArn(domain));
    await associate(organization, arnOf(`configuration-set/${env('SES_CONFIGURATION_SET')}`));
  },
  async dismiss(organization, domain) {
    await answerOr(
      NOT_OURS,
      client.send(
        new DeleteTenantResourceAssociationCommand({
          TenantName: tenantOf(organization),
          ResourceArn: identityArn(domain),
        }),
      ),
    );
  },
  async removeOrganization(organization) {
    await answerOr(NOT_OURS, client.send(new DeleteTenantCommand({ TenantName: tenantOf(organization) })));
  },
};
