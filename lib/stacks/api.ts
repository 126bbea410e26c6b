import { CfnParameter, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  type CfnStage,
  HttpApi,
  type HttpMethod,
  HttpRoute,
  HttpRouteKey,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaAuthorizer, HttpLambdaResponseType } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { FunctionOptions } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, LogGroup } from 'aws-cdk-lib/aws-logs';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { type Group, groups } from '../../shared/routes.ts';
import { apiAlarms } from '../alarms.ts';
import { acknowledge } from '../constructs/acknowledge.ts';
import { alarmed } from '../constructs/alarmed.ts';
import { logged } from '../constructs/logged.ts';
import { ServiceFunction } from '../constructs/service-function.ts';
import { HOME_REGION, type Stage } from '../stages.ts';
import type { DataStack } from './data.ts';
import type { SendingStack } from './sending.ts';
import { type WebhooksStack, webhookLoopback } from './webhooks.ts';

type Uses = { data: DataStack; sending: SendingStack; webhooks: WebhooksStack; loopback: CfnParameter };
type Access = (fn: ServiceFunction, uses: Uses) => unknown;

/** What the function of a group may use beside the table. */
const USES: Partial<Record<Group, Access>> = {
  login: (fn, { data: { mail, mailFrom } }) => fn.sendsMailAs(mail, mailFrom),
  organization: (fn, { data: { objects } }) => fn.putsFiles(objects),
  member: (fn, { data: { mail, mailFrom } }) => fn.sendsMailAs(mail, mailFrom),
  list: (fn, { data: { objects, sendingKeys } }) =>
    fn.putsFiles(objects).encryptsWith(sendingKeys).callsMailgun(),
  'unsubscribe-webhook': (fn, { data: { sendingKeys }, webhooks: { queue }, loopback }) =>
    fn.encryptsWith(sendingKeys).queuesWebhooks(queue).postsWebhooks(loopback),
  automation: (fn, { data: { sendingKeys } }) => fn.decryptsWith(sendingKeys).callsMailgun(),
  'email-send': (fn, { sending: { packs } }) => fn.queuesPacks(packs),
};

/** Reads no more than the code. */
const WITHOUT_TABLE: Group[] = ['openapi'];

/** Settings of a group that differ from the defaults. The gateway and CloudFront wait for 30 seconds. */
const NEEDS: Partial<Record<Group, FunctionOptions>> = {
  // An endpoint that is tested may take 15 seconds.
  'unsubscribe-webhook': { timeout: Duration.seconds(25) },
  // A hundred members in one call.
  v1: { timeout: Duration.seconds(25) },
  // Five hundred members in one call, or as many that are removed, on a whole processor.
  'member-import': { timeout: Duration.seconds(25), memorySize: 1_769 },
  // Five years of many combinations, on a whole processor.
  reporting: { timeout: Duration.seconds(25), memorySize: 1_769 },
  // All members of the lists of an automation, on a whole processor.
  automation: { timeout: Duration.seconds(25), memorySize: 1_769 },
  'dry-run': { timeout: Duration.seconds(25), memorySize: 1_769 },
};

/** Without path, address and browser: paths carry tokens. */
export const ACCESS_LOG = {
  requestId: '$context.requestId',
  route: '$context.routeKey',
  status: '$context.status',
  latency: '$context.responseLatency',
  error: '$context.error.responseType',
  authorizer: '$context.authorizer.error',
};

type Props = { stage: Stage; data: DataStack; sending: SendingStack; webhooks: WebhooksStack };

/** The HTTP API: the routes of the contract, a function per group, and CloudFront as its only caller. */
export class ApiStack extends Stack {
  readonly httpApi: HttpApi;
  readonly originKey: Secret;
  readonly functions: ServiceFunction[] = [];
  private readonly authorizer: HttpLambdaAuthorizer;

  constructor(scope: Construct, id: string, { stage, data, sending, webhooks }: Props) {
    super(scope, id, { env: { region: HOME_REGION } });

    const publicUrl = new CfnParameter(this, 'PublicUrl', {
      default: `https://${stage.domain}`,
      description: 'Where the product is reached: the beginning of the links in its mails',
    });

    const loopback = webhookLoopback(this);

    this.originKey = new Secret(this, 'OriginKey', {
      description: 'Sent by CloudFront with each request: the API refuses any other',
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
    });
    acknowledge(this.originKey, {
      'AwsSolutions-SMG4':
        'Its reader and CloudFront would have to change at one moment: see docs/deploy.md.',
    });
    this.authorizer = this.originAuthorizer(stage);
    this.httpApi = this.createApi(stage);

    const routes = Object.entries(groups).flatMap(([group, table]) => {
      const integration = this.serve(group as Group, { stage, data, sending, webhooks, publicUrl, loopback });
      return Object.keys(table).map(key => ({ key, route: this.addRoute(this, key, integration) }));
    });
    this.limitSignIn(
      routes.filter(({ key }) => key.includes(' /api/login/')),
      stage,
    );
  }

  private originAuthorizer(stage: Stage): HttpLambdaAuthorizer {
    const fn = new ServiceFunction(this, 'Origin', { stage, entry: 'functions/http/origin.ts' });
    fn.readsSecret(this.originKey, 'ORIGIN_KEY_SECRET');
    this.functions.push(fn);
    return new HttpLambdaAuthorizer('OriginAuthorizer', fn, {
      identitySource: ['$request.header.x-origin-key'],
      responseTypes: [HttpLambdaResponseType.SIMPLE],
      resultsCacheTtl: Duration.hours(1),
    });
  }

  private createApi(stage: Stage): HttpApi {
    const accessLog = new LogGroup(this, 'AccessLog', {
      retention: stage.logRetention,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const serverErrors = logged(this, stage, 'ServerErrors', {
      logGroup: accessLog,
      filterPattern: FilterPattern.all(
        FilterPattern.stringValue('$.status', '=', '5*'),
        // Tracking, and the provider's events, have a share of what may run at a time, and alarms of their own.
        FilterPattern.regexValue('$.route', '=', '/api/'),
      ),
    });
    alarmed(this, stage, apiAlarms(serverErrors));
    const api = new HttpApi(this, 'Api', { apiName: `letterflow-${stage.name}`, createDefaultStage: false });
    api.addStage('Stage', {
      stageName: '$default',
      autoDeploy: true,
      throttle: stage.throttle,
      accessLogSettings: {
        destination: new LogGroupLogDestination(accessLog),
        format: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG)),
      },
    });
    return api;
  }

  /** Anyone may call these routes, and they send mail: a flood of them must neither cost much nor slow down the rest. */
  private limitSignIn(
    routes: { key: string; route: HttpRoute }[],
    { signInThrottle: { rateLimit, burstLimit } }: Stage,
  ): void {
    const stage = this.httpApi.node.findChild('Stage').node.defaultChild as CfnStage;
    stage.routeSettings = Object.fromEntries(
      routes.map(({ key }) => [key, { ThrottlingRateLimit: rateLimit, ThrottlingBurstLimit: burstLimit }]),
    );
    // API Gateway refuses settings of a route that does not exist yet.
    stage.node.addDependency(...routes.map(({ route }) => route));
  }

  private serve(
    group: Group,
    { stage, publicUrl, ...uses }: Uses & { stage: Stage; publicUrl: CfnParameter },
  ): HttpLambdaIntegration {
    const fn = new ServiceFunction(this, group, {
      stage,
      entry: `functions/api/${group}.ts`,
      ...NEEDS[group],
      environment: { CHECK_ANSWERS: String(stage.checkAnswers), PUBLIC_URL: publicUrl.valueAsString },
    });
    if (!WITHOUT_TABLE.includes(group)) fn.accesses(uses.data.table);
    USES[group]?.(fn, uses);
    this.functions.push(fn);
    return integrationOf(fn);
  }

  /** Adds a route that only CloudFront can call. */
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

// One permission per function: one per route would exceed the 20 KB of a function's policy.
export const integrationOf = (fn: ServiceFunction) =>
  new HttpLambdaIntegration(fn.node.id, fn, { scopePermissionToRoute: false });
