import { resolveNs } from 'node:dns/promises';
import {
  CloudFormationClient,
  DescribeStacksCommand,
  paginateListStackResources,
} from '@aws-sdk/client-cloudformation';
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetHostedZoneCommand, Route53Client } from '@aws-sdk/client-route-53';
import { GetAccountCommand, GetEmailIdentityCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { HOME_REGION } from '#lib/stages.ts';
import type { Account, DeployedStack } from './checks.ts';

const region = HOME_REGION;
const ABSENT = /NotFound|NoSuch|does not exist/;
const NO_RECORD = /ENOTFOUND|ENODATA|ESERVFAIL/;

/** The response of AWS about a resource; undefined if there is no such resource. */
async function undefinedIfAbsent<T>(asked: Promise<T>, absent = ABSENT): Promise<T | undefined> {
  return asked.catch((error: Error & { code?: string }) => {
    if (absent.test(`${error.name} ${error.code} ${error.message}`)) return undefined;
    throw error;
  });
}

/** The account of the credentials that the AWS SDK finds. */
export const account: Account = {
  async number() {
    const { Account = '' } = await new STSClient({ region }).send(new GetCallerIdentityCommand({}));
    return Account;
  },
  async stack(StackName, region) {
    const client = new CloudFormationClient({ region });
    const described = await undefinedIfAbsent(client.send(new DescribeStacksCommand({ StackName })));
    const [stack] = described?.Stacks ?? [];
    return stack && deployed(client, StackName, stack);
  },
  async concurrency() {
    const { AccountLimit } = await new LambdaClient({ region }).send(new GetAccountSettingsCommand({}));
    return AccountLimit?.ConcurrentExecutions ?? 0;
  },
  async identity(EmailIdentity) {
    const asked = new SESv2Client({ region }).send(new GetEmailIdentityCommand({ EmailIdentity }));
    const found = await undefinedIfAbsent(asked);
    return found && { isVerified: found.VerifiedForSendingStatus === true };
  },
  async mail() {
    const found = await new SESv2Client({ region }).send(new GetAccountCommand({}));
    const { ProductionAccessEnabled = false, SendQuota = {}, PricingAttributes = {} } = found;
    const { CurrentPlan, NextPlan = CurrentPlan } = PricingAttributes;
    return {
      isSandboxed: !ProductionAccessEnabled,
      daily: SendQuota.Max24HourSend ?? 0,
      perSecond: SendQuota.MaxSendRate ?? 0,
      // An older account has none.
      plan: NextPlan === 'NONE' ? undefined : NextPlan,
    };
  },
  async hasTable(TableName) {
    const asked = new DynamoDBClient({ region }).send(new DescribeTableCommand({ TableName }));
    return (await undefinedIfAbsent(asked)) !== undefined;
  },
  async zone(Id) {
    const found = await undefinedIfAbsent(
      new Route53Client({ region }).send(new GetHostedZoneCommand({ Id })),
    );
    if (!found || found.HostedZone?.Config?.PrivateZone) return undefined;
    return {
      name: withoutDot(found.HostedZone?.Name),
      nameServers: (found.DelegationSet?.NameServers ?? []).map(withoutDot),
    };
  },
  nameServers: async domain => (await undefinedIfAbsent(resolveNs(domain), NO_RECORD))?.map(withoutDot) ?? [],
};

export const addressOf = async (stage: string): Promise<string | undefined> =>
  (await account.stack(`letterflow-${stage}-front`, region))?.outputs.Address;

const withoutDot = (name = '') => name.replace(/\.$/, '').toLowerCase();

async function deployed(
  client: CloudFormationClient,
  StackName: string,
  {
    StackStatus = '',
    Outputs = [],
  }: { StackStatus?: string; Outputs?: { OutputKey?: string; OutputValue?: string }[] },
): Promise<DeployedStack> {
  const resources: string[] = [];
  for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName }))
    resources.push(...StackResourceSummaries.flatMap(one => one.PhysicalResourceId ?? []));
  const outputs = Object.fromEntries(
    Outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]),
  );
  return { status: StackStatus, resources, outputs };
}
