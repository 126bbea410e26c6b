import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import * as z from 'zod/mini';
import { parseInput, Refused } from '../aws-json.ts';
import { KEY, plainName, type Zone } from '../dns/zone.ts';
import type { Operation } from './operations.ts';

const required = z.string().check(z.minLength(1));
const Tags = z._default(z.array(z.strictObject({ Key: required, Value: z.string() })), []);
// https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_CreateEmailIdentity.html, and those beside it.
const NewIdentity = z.strictObject({
  EmailIdentity: required.check(z.maxLength(253), z.regex(/^([a-z0-9-]{1,63}\.)+[a-z0-9-]{2,63}$/)),
  ConfigurationSetName: z.optional(required),
  Tags,
});
const TenantName = z.string().check(z.regex(/^[\w-]{1,64}$/));
const NewTenant = z.strictObject({
  TenantName,
  Tags,
  SuppressionAttributes: z.optional(
    z.strictObject({
      SuppressedReasons: z.array(z.enum(['BOUNCE', 'COMPLAINT'])),
      SuppressionScope: z.enum(['ACCOUNT', 'TENANT']),
    }),
  ),
});
const NamedTenant = z.strictObject({ TenantName });
const Association = z.strictObject({
  TenantName,
  ResourceArn: z.string().check(z.startsWith('arn:aws:ses:')),
});

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS ses_identities (domain TEXT PRIMARY KEY, tags TEXT NOT NULL, tokens TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS ses_tenants (name TEXT PRIMARY KEY);
  CREATE TABLE IF NOT EXISTS ses_associations (
    tenant TEXT NOT NULL REFERENCES ses_tenants (name) ON DELETE CASCADE,
    resource TEXT NOT NULL,
    PRIMARY KEY (tenant, resource)
  )`;

const HOSTED_ZONE = 'dkim.amazonses.com';
const TOKENS = 3;

export type Identities = ReturnType<typeof createIdentities>;

/** The domains and tenants of an account of SES. A domain is verified as long as its records stand in the local DNS. */
export function createIdentities(database: DatabaseSync, zone: Zone) {
  database.exec(SCHEMA);
  const run = (sql: string, ...values: string[]) => database.prepare(sql).run(...values).changes > 0;
  const one = (sql: string, ...values: string[]) => database.prepare(sql).get(...values);
  const insert = (sql: string, ...values: string[]) => {
    if (!run(`INSERT OR IGNORE ${sql}`, ...values)) {
      throw new Refused('AlreadyExistsException', 'The resource exists already.');
    }
  };
  const there = <T>(found: T | undefined | false, what: string): T => {
    if (found) return found;
    throw new Refused('NotFoundException', `${what} does not exist.`);
  };

  function read(domain: string) {
    const found = one('SELECT tags, tokens FROM ses_identities WHERE domain = ?', domain);
    if (!found) return undefined;
    const tokens: string[] = JSON.parse(String(found.tokens));
    const isVerified = tokens.every(token =>
      zone
        .values(`${token}._domainkey.${domain}`, 'CNAME')
        .some(value => plainName(value) === `${token}.${HOSTED_ZONE}`),
    );
    return {
      IdentityType: 'DOMAIN',
      VerifiedForSendingStatus: isVerified,
      Tags: JSON.parse(String(found.tags)),
      DkimAttributes: {
        SigningEnabled: true,
        Status: isVerified ? 'SUCCESS' : 'PENDING',
        Tokens: tokens,
        SigningHostedZone: HOSTED_ZONE,
      },
    };
  }

  const isAssociated = (tenant: string, resource: string) =>
    one(
      'SELECT 1 FROM ses_associations WHERE tenant = ? AND resource LIKE ?',
      tenant,
      `arn:aws:ses:%:${resource}`,
    ) !== undefined;

  const operation = (method: string, path: RegExp, answer: Operation['answer']): Operation => ({
    method,
    path,
    answer,
  });

  const operations: Operation[] = [
    operation('POST', /^\/v2\/email\/identities$/, input => {
      const { EmailIdentity, Tags } = parseInput(NewIdentity, input);
      const tokens = Array.from({ length: TOKENS }, () => randomBytes(16).toString('hex'));
      for (const token of tokens) zone.set(`${token}.${HOSTED_ZONE}`, 'TXT', [KEY]);
      const values = [EmailIdentity, JSON.stringify(Tags), JSON.stringify(tokens)];
      insert('INTO ses_identities (domain, tags, tokens) VALUES (?, ?, ?)', ...values);
      const { Tags: _, ...created } = there(read(EmailIdentity), EmailIdentity);
      return created;
    }),
    operation('GET', /^\/v2\/email\/identities\/([^/]+)$/, (_, { params: [domain = ''] }) =>
      there(read(domain), domain),
    ),
    operation('DELETE', /^\/v2\/email\/identities\/([^/]+)$/, (_, { params: [domain = ''] }) => {
      there(run('DELETE FROM ses_identities WHERE domain = ?', domain), domain);
      return {};
    }),
    operation('POST', /^\/v2\/email\/tenants$/, input => {
      const { TenantName } = parseInput(NewTenant, input);
      insert('INTO ses_tenants (name) VALUES (?)', TenantName);
      return { TenantName, SendingStatus: 'ENABLED' };
    }),
    operation('POST', /^\/v2\/email\/tenants\/delete$/, input => {
      const { TenantName } = parseInput(NamedTenant, input);
      there(run('DELETE FROM ses_tenants WHERE name = ?', TenantName), TenantName);
      return {};
    }),
    operation('POST', /^\/v2\/email\/tenants\/resources$/, input => {
      const { TenantName, ResourceArn } = parseInput(Association, input);
      there(one('SELECT 1 FROM ses_tenants WHERE name = ?', TenantName), TenantName);
      const [, domain] = /:identity\/(.+)$/.exec(ResourceArn) ?? [];
      if (domain !== undefined) there(read(domain), domain);
      insert('INTO ses_associations (tenant, resource) VALUES (?, ?)', TenantName, ResourceArn);
      return {};
    }),
    operation('POST', /^\/v2\/email\/tenants\/resources\/delete$/, input => {
      const { TenantName, ResourceArn } = parseInput(Association, input);
      const sql = 'DELETE FROM ses_associations WHERE tenant = ? AND resource = ?';
      there(run(sql, TenantName, ResourceArn), ResourceArn);
      return {};
    }),
  ];

  return {
    operations,
    /** Whether a tenant may send from a domain by a configuration set. */
    maySend: (domain: string, tenant: string, configurationSet: string) =>
      read(domain)?.VerifiedForSendingStatus === true &&
      isAssociated(tenant, `identity/${domain}`) &&
      isAssociated(tenant, `configuration-set/${configurationSet}`),
  };
}
