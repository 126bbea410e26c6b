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
import { env, withTimeout } from '#functions/platform/aws.ts';

// Each call may be repeated, and a function has time for all of them.
const client = new SESv2Client({ maxAttempts: 2, ...withTimeout(2_500) });

/** The tag of the identities of a stage. The rights of its functions depend on it, so it is never put on another identity. */
const TAG = 'letterflow:stage';

const tags = () => [{ Key: TAG, Value: env('SES_STAGE') }];
const tenantOf = (organization: number) => `${env('SES_TENANTS')}-${organization}`;
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

async function get(domain: string): Promise<ProviderDomain | 'foreign' | undefined> {
  const found = await answerOr(
    // Rights end at the tag.
    ['NotFoundException', 'AccessDeniedException'],
    client.send(new GetEmailIdentityCommand({ EmailIdentity: domain })),
  );
  if (found === 'NotFoundException') return undefined;
  if (found === 'AccessDeniedException') return 'foreign';
  const isOurs = found.Tags?.some(({ Key, Value }) => Key === TAG && Value === env('SES_STAGE'));
  return isOurs ? read(domain, found.VerifiedForSendingStatus, found.DkimAttributes) : 'foreign';
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
  if (created !== 'AlreadyExistsException') {
    return read(domain, created.VerifiedForSendingStatus, created.DkimAttributes);
  }
  const there = await get(domain);
  if (there) return there;
  throw new Error('SES has an identity, and has it not');
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
    const there = await get(domain);
    if (there === undefined || there === 'foreign') return;
    await answerOr(
      ['NotFoundException'],
      client.send(new DeleteEmailIdentityCommand({ EmailIdentity: domain })),
    );
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
      ['NotFoundException'],
      client.send(
        new DeleteTenantResourceAssociationCommand({
          TenantName: tenantOf(organization),
          ResourceArn: identityArn(domain),
        }),
      ),
    );
  },
  async removeOrganization(organization) {
    await answerOr(
      ['NotFoundException'],
      client.send(new DeleteTenantCommand({ TenantName: tenantOf(organization) })),
    );
  },
};
