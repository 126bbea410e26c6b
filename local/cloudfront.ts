import { randomUUID } from 'node:crypto';
import { plainName, type Zone } from './dns/zone.ts';
import type { HttpAnswer } from './gateway/response.ts';

export type CloudFront = ReturnType<typeof createCloudFront>;

type Headers = Record<string, string | string[] | undefined>;
type Call = { method: string; path: string; headers: Headers; body: Buffer };
type Tenant = { Id: string; Name: string; Domain: string; Enabled: boolean; Arn: string; etag: string };

const PATH = /^\/2020-05-31\/(distribution-tenant|managed-certificate)(?:\/([\w-]+))?/;

/**
 * The calls of CloudFront for distribution tenants, which a restart forgets. A certificate is issued, and a domain active, as
 * long as its record in the local DNS leads to a name below the target of the stage.
 */
export function createCloudFront(zone: Zone, target: () => string | undefined) {
  const tenants: Tenant[] = [];
  const leadsHere = (domain: string) =>
    zone.values(domain, 'CNAME').some(value => plainName(value).endsWith(`.${target()}`));
  const isActive = ({ Domain, Enabled, Arn }: Tenant) => Enabled && Arn !== '' && leadsHere(Domain);

  function create(Name: string, Domain: string): HttpAnswer {
    if (!leadsHere(Domain)) return failure(400, 'InvalidArgument');
    if (tenants.some(tenant => tenant.Name === Name)) return failure(409, 'EntityAlreadyExists');
    if (tenants.some(tenant => tenant.Domain === Domain)) return failure(409, 'CNAMEAlreadyExists');
    const created = { Id: `dt_${randomUUID()}`, Name, Domain, Enabled: true, Arn: '', etag: randomUUID() };
    tenants.push(created);
    return shown(created);
  }

  const shown = (tenant: Tenant): HttpAnswer => {
    const { Id, Name, Domain, Enabled, Arn, etag } = tenant;
    const domains = tag(
      'member',
      tag('Domain', Domain) + tag('Status', isActive(tenant) ? 'active' : 'inactive'),
    );
    const certificate = Arn && tag('Customizations', tag('Certificate', tag('Arn', Arn)));
    const fields = tag('Id', Id) + tag('Name', Name) + tag('Enabled', `${Enabled}`) + tag('Domains', domains);
    return xml(200, tag('DistributionTenant', fields + certificate), { etag });
  };

  return {
    async answer({ method, path, headers, body }: Call): Promise<HttpAnswer> {
      const [, resource, named = ''] = PATH.exec(path) ?? [];
      const field = (name: string) => new RegExp(`<${name}>([^<]*)`).exec(body.toString())?.[1] ?? '';
      if (method === 'POST') return create(field('Name'), field('Domain'));
      const tenant = tenants.find(({ Id, Name }) => named === Id || named === Name);
      if (!tenant) return failure(404, 'EntityNotFound');
      if (resource === 'managed-certificate') {
        const status = leadsHere(tenant.Domain) ? 'issued' : 'pending-validation';
        const arn = `arn:aws:acm:us-east-1:000000000000:certificate/${tenant.Id}`;
        const details = tag('CertificateArn', arn) + tag('CertificateStatus', status);
        return xml(200, tag('ManagedCertificateDetails', details));
      }
      if (method === 'GET') return shown(tenant);
      if (headers['if-match'] !== tenant.etag) return failure(412, 'PreconditionFailed');
      if (method === 'PUT') {
        const change = { Enabled: field('Enabled') === 'true', Arn: field('Arn'), etag: randomUUID() };
        return shown(Object.assign(tenant, change));
      }
      if (tenant.Enabled) return failure(409, 'ResourceNotDisabled');
      tenants.splice(tenants.indexOf(tenant), 1);
      return xml(204, '');
    },
    /** Whether requests to this host are served as those of a tenant. */
    serves: (host: string) => tenants.some(tenant => tenant.Domain === plainName(host) && isActive(tenant)),
  };
}

const tag = (name: string, content: string) => `<${name}>${content}</${name}>`;

const xml = (status: number, body: string, headers: Record<string, string> = {}): HttpAnswer => ({
  status,
  headers: { 'content-type': 'text/xml', ...headers },
  body: Buffer.from(body),
});
const failure = (status: number, code: string) =>
  xml(status, tag('ErrorResponse', tag('Error', tag('Code', code) + tag('Message', code))));
