import { createHash } from 'node:crypto';
import {
  CloudFrontClient,
  CreateDistributionTenantCommand,
  DeleteDistributionTenantCommand,
  type DistributionTenant,
  GetDistributionTenantCommand,
  GetManagedCertificateDetailsCommand,
  UpdateDistributionTenantCommand,
} from '@aws-sdk/client-cloudfront';
import { env, withTimeout } from './runtime.ts';

// CloudFront is called in this region alone. A check makes up to three calls, in the time of its function; users repeat it.
const client = new CloudFrontClient({ region: 'us-east-1', maxAttempts: 1, ...withTimeout(6_000) });

const TAG = 'letterflow:stage';
const nameOf = (domain: string) =>
  `letterflow-${env('STAGE_NAME')}-${createHash('sha256').update(domain).digest('hex').slice(0, 24)}`;
const certificateOf = (domain: string) => ({
  ValidationTokenHost: 'cloudfront' as const,
  PrimaryDomainName: domain,
});

/** Undefined if the call fails by one of these exceptions. */
const unless = <T>(names: string[], call: Promise<T>): Promise<T | undefined> =>
  call.catch(error => {
    if (names.includes(error.name)) return undefined;
    throw error;
  });

// Rights to tenants end at the tag of the stage: what is not there may be denied too.
const get = (domain: string) =>
  unless(
    ['EntityNotFound', 'AccessDenied'],
    client.send(new GetDistributionTenantCommand({ Identifier: nameOf(domain) })),
  );

/** An update replaces a tenant as a whole. */
const update = (
  { Id, DistributionId, ConnectionGroupId, Domains = [], Customizations, Enabled }: DistributionTenant,
  IfMatch: string | undefined,
  change: Partial<UpdateDistributionTenantCommand['input']>,
) =>
  client.send(
    new UpdateDistributionTenantCommand({
      Id,
      DistributionId,
      ConnectionGroupId,
      Customizations,
      Enabled,
      IfMatch,
      Domains: Domains.map(({ Domain }) => ({ Domain })),
      ...change,
    }),
  );

/** The domains of lists, as tenants of a distribution that serves nothing but links of emails. */
export const trackingDomains = {
  async ensure(domain: string, mayAskAgain: () => Promise<boolean>) {
    const { DistributionTenant: tenant, ETag } = (await get(domain)) ?? {};
    if (!tenant) return create(domain);
    const arn = tenant.Customizations?.Certificate?.Arn;
    if (arn && tenant.Domains?.[0]?.Status === 'active') return 'active';
    const { ManagedCertificateDetails: { CertificateArn, CertificateStatus } = {} } =
      (await unless(
        ['EntityNotFound'],
        client.send(new GetManagedCertificateDetailsCommand({ Identifier: tenant.Id })),
      )) ?? {};
    if (CertificateStatus === 'issued' && CertificateArn && CertificateArn !== arn) {
      await update(tenant, ETag, { Customizations: { Certificate: { Arn: CertificateArn } } });
    }
    if (CertificateStatus === 'issued' || CertificateStatus === 'pending-validation') return 'issuing';
    const asks = await mayAskAgain();
    if (asks) await update(tenant, ETag, { ManagedCertificateRequest: certificateOf(domain) });
    return CertificateStatus ? 'failed' : 'issuing';
  },

  /** A tenant is deleted once it is disabled everywhere, which takes minutes: until then it throws. */
  async remove(domain: string): Promise<void> {
    const { DistributionTenant: tenant, ETag } = (await get(domain)) ?? {};
    if (!tenant) return;
    const disabled = tenant.Enabled ? await update(tenant, ETag, { Enabled: false }) : { ETag };
    await client.send(new DeleteDistributionTenantCommand({ Id: tenant.Id, IfMatch: disabled.ETag }));
  },
} as const;

async function create(domain: string) {
  const request = new CreateDistributionTenantCommand({
    DistributionId: env('TRACKING_DISTRIBUTION'),
    ConnectionGroupId: env('TRACKING_GROUP'),
    Name: nameOf(domain),
    Domains: [{ Domain: domain }],
    ManagedCertificateRequest: certificateOf(domain),
    Enabled: true,
    Tags: { Items: [{ Key: TAG, Value: env('STAGE_NAME') }] },
  });
  return client.send(request).then(
    () => 'issuing' as const,
    error => {
      // It is repeated after a call whose answer was lost, or at the same time as another one.
      if (error.name === 'EntityAlreadyExists') return 'issuing' as const;
      if (error.name === 'CNAMEAlreadyExists') return 'taken' as const;
      // https://github.com/aws/aws-sdk-php/issues/3129: CloudFront does not see that the domain leads to it.
      if (error.name === 'InvalidArgument') return 'pending' as const;
      throw error;
    },
  );
}
