import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  type CfnStage,
  HttpApi,
  type HttpMethod,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  type IHttpApi,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaAuthorizer, HttpLambdaResponseType } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { FunctionOptions, IFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, LogGroup } from 'aws-cdk-lib/aws-logs';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { type Group, gatewayKeysOf, groups } from '#shared/routes.ts';
import { apiAlarms } from '../alarms.ts';
import { alarmed } from '../constructs/alarmed.ts';
import { exportAlways } from '../constructs/export-always.ts';
import { logged } from '../constructs/logged.ts';
import { ServiceFunction } from '../constructs/service-function.ts';
import { HOME_REGION, reserved, type Stage } from '../stages.ts';
import type { DataStack } from './data.ts';
import type { FrontStack } from './front.ts';
import type { SendingStack } from './sending.ts';
import type { WebhooksStack } from './webhooks.ts';

type Props = {
  stage: Stage;
  data: DataStack;
  front: FrontStack;
  sending: SendingStack;
  webhooks: WebhooksStack;
};
type Access = (fn: ServiceFunction, props: Props) => unknown;

/** The permissions that the function of a group has besides those for the table. */
const USES: Partial<Record<Group, Access>> = {
  login: (fn, { stage }) => fn.sendsMailOf(stage),
  organization: (fn, { data: { objects } }) => fn.putsFiles(objects),
  member: (fn, { stage }) => fn.sendsMailOf(stage),
  list: (fn, { data: { objects, sendingKeys } }) =>
    fn.putsFiles(objects).encryptsWith(sendingKeys).callsMailgun(),
  identity: (fn, { stage, front }) => fn.managesDomains(stage).servesTracking(stage, front.tracking),
  'unsubscribe-webhook': (fn, { data: { sendingKeys }, webhooks: { queue } }) =>
    fn.encryptsWith(sendingKeys).sendsTo(queue, 'WEBHOOKS_QUEUE').callsOutside(),
  content: (fn, { data: { objects } }) => fn.addsFiles(objects),
  automation: (fn, { stage, data: { sendingKeys } }) =>
    fn.decryptsWith(sendingKeys).callsMailgun().callsSes(stage).sendsMailOf(stage),
  connection: fn => fn.callsOutside(),
  'email-send': (fn, { sending: { packs } }) => fn.sendsTo(packs, 'PACKS_QUEUE'),
};

/** Groups that use only what is in their code. */
const WITHOUT_TABLE: Group[] = ['openapi'];

/** Settings of a group that differ from the defaults. API Gateway and CloudFront have a timeout of 30 seconds. */
const NEEDS: Partial<Record<Group, FunctionOptions>> = {
  // A check waits for the DNS, and for several calls of SES.
  identity: { timeout: Duration.seconds(25) },
  // The test of a webhook waits up to 15 seconds for its endpoint.
  'unsubscribe-webhook': { timeout: Duration.seconds(25) },
  // A request may add a hundred members.
  v1: { timeout: Duration.seconds(25) },
  // A request may add or remove five hundred members, which takes a whole processor.
  'member-import': { timeout: Duration.seconds(25), memorySize: 1_769 },
  // A layout is compiled by MJML, of which a megabyte is loaded for the first one.
  look: { timeout: Duration.seconds(25), memorySize: 1_769 },
  // A report may cover five years of many combinations, which takes a whole processor.
  reporting: { timeout: Duration.seconds(25), memorySize: 1_769 },
  // A request may evaluate all members of an automation's lists, which takes a whole processor.
  automation: { timeout: Duration.seconds(25), memorySize: 1_769 },
  plan: { timeout: Duration.seconds(25), memorySize: 1_769 },
};

/** The tools of assistants. It is not part of the contract: their protocol says what it takes. */
export const MCP = 'ANY /mcp';
/** What assistants read before they are connected. */
export const METADATA = 'ANY /.well-known/{proxy+}';

/** Without path, address and user agent: paths contain tokens. */
export const ACCESS_LOG = {
  requestId: '$context.requestId',
  route: '$context.routeKey',
  status: '$context.status',
  latency: '$context.responseLatency',
  error: '$context.error.responseType',
  authorizer: '$context.authorizer.error',
};

/** Of a function that failed, crashed or took too long. */
export const FAILED = ['500', '502', '504'];
/** Of the gateway, where too many calls come, and where Lambda takes no more; what a function answers so, it logs. */
export const REFUSED = ['429', '503'];

/** The routes of the contract, with a function per group. Only CloudFront can call them. */
export class ApiStack extends Stack {
  readonly httpApi: IHttpApi;
  private readonly authorizer: HttpLambdaAuthorizer;
  private readonly accessLog: LogGroup;

  constructor(scope: Construct, id: string, props: Props) {
    super(scope, id, { env: { region: HOME_REGION } });
    const { stage, front } = props;
    // By its id: constructs that CDK adds to the API object of the front stack would belong to that stack, and refer to this
    // one.
    this.httpApi = HttpApi.fromHttpApiAttributes(this, 'Api', { httpApiId: front.httpApi.apiId });
    this.authorizer = this.originAuthorizer(stage, front.originKey);

    const routes = (Object.keys(groups) as Group[]).flatMap(group => {
      const integration = this.serve(group, props);
      return gatewayKeysOf(group).map(key => ({ key, route: this.addRoute(this, key, integration) }));
    });
    const assistants = this.serveAssistants(props);
    for (const key of [MCP, METADATA]) this.addRoute(this, key, assistants);
    this.accessLog = new LogGroup(this, 'AccessLog', {
      retention: stage.logRetention,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.addStage(
      stage,
      routes.filter(({ key }) => key.includes(' /api/login/')),
    );
    exportAlways(this, [this.authorizer.authorizerId]);
  }

  private originAuthorizer(stage: Stage, originKey: ISecret): HttpLambdaAuthorizer {
    const fn = new ServiceFunction(this, 'Origin', { stage, entry: 'functions/http/origin.ts' });
    fn.readsSecret(originKey, 'ORIGIN_KEY_SECRET');
    return new HttpLambdaAuthorizer('OriginAuthorizer', fn, {
      identitySource: ['$request.header.x-origin-key'],
      responseTypes: [HttpLambdaResponseType.SIMPLE],
      resultsCacheTtl: Duration.hours(1),
    });
  }

  private addStage(stage: Stage, signIn: { key: string; route: HttpRoute }[]): void {
    const { accessLog } = this;
    const serverErrors = logged(this, stage, 'ServerErrors', {
      logGroup: accessLog,
      filterPattern: FilterPattern.all(
        FilterPattern.stringValue('$.status', '=', '5*'),
        // Tracking and the events of the provider have their own concurrency and alarms.
        FilterPattern.regexValue('$.route', '=', '/api/|/mcp|/.well-known/'),
      ),
    });
    alarmed(this, stage, apiAlarms(serverErrors));
    const added = new HttpStage(this, 'Stage', {
      httpApi: this.httpApi,
      stageName: '$default',
      autoDeploy: true,
      throttle: stage.throttle,
      accessLogSettings: {
        destination: new LogGroupLogDestination(accessLog),
        format: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG)),
      },
    });
    limitSignIn(added.node.defaultChild as CfnStage, signIn, stage);
  }

  /** Without any right: it calls the API from outside, with the token of whoever calls it. */
  private serveAssistants({ stage, front }: Props): HttpLambdaIntegration {
    const fn = new ServiceFunction(this, 'mcp', {
      stage,
      entry: 'functions/mcp/mcp.ts',
      timeout: Duration.seconds(29),
      environment: { PUBLIC_URL: front.publicUrl },
    });
    return integrationOf(fn);
  }

  private serve(group: Group, props: Props): HttpLambdaIntegration {
    const { stage, data, front } = props;
    const fn = new ServiceFunction(this, group, {
      stage,
      entry: `functions/api/${group}.ts`,
      ...NEEDS[group],
      // It waits for name servers of others, which may be as slow as they like.
      ...(group === 'identity' && { reservedConcurrentExecutions: reserved(stage, stage.mostVisits) }),
      environment: { CHECK_ANSWERS: String(stage.checkAnswers), PUBLIC_URL: front.publicUrl },
    });
    if (!WITHOUT_TABLE.includes(group)) fn.accesses(data.table);
    USES[group]?.(fn, props);
    return integrationOf(fn);
  }

  /** Counts calls of routes that are answered with one of the statuses, by the gateway or the function. */
  calls(stage: Stage, metricName: string, routes: string[], statuses: string[] = []): Metric {
    const oneOf = (field: string, values: string[]) =>
      FilterPattern.any(...values.map(value => FilterPattern.stringValue(field, '=', value)));
    return logged(this, stage, metricName, {
      logGroup: this.accessLog,
      filterPattern: FilterPattern.all(
        oneOf('$.route', routes),
        ...(statuses.length > 0 ? [oneOf('$.status', statuses)] : []),
      ),
    });
  }

  addRoute(scope: Construct, key: string, integration: HttpLambdaIntegration): HttpRoute {
    const [method, path] = key.split(' ') as [HttpMethod, string];
    return new HttpRoute(scope, key, {
      httpApi: this.httpApi,
      routeKey: HttpRouteKey.with(path, method),
      integration,
      authorizer: this.authorizer,
    });
  }
}

/**
 * Throttles the routes that anybody can call and that send emails: a flood of requests must neither cost much nor slow down
 * others.
 */
function limitSignIn(
  stage: CfnStage,
  routes: { key: string; route: HttpRoute }[],
  { signInThrottle: { rateLimit, burstLimit } }: Stage,
): void {
  stage.routeSettings = Object.fromEntries(
    routes.map(({ key }) => [key, { ThrottlingRateLimit: rateLimit, ThrottlingBurstLimit: burstLimit }]),
  );
  // API Gateway rejects settings of a route that does not exist yet.
  stage.node.addDependency(...routes.map(({ route }) => route));
}

// One permission per function: one per route would exceed the 20 KB of a function's policy.
export const integrationOf = (fn: IFunction, id = fn.node.id) =>
  new HttpLambdaIntegration(id, fn, { scopePermissionToRoute: false });
