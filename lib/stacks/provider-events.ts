import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { EventBus, Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { ConfigurationSet, EmailSendingEvent, EventDestination } from 'aws-cdk-lib/aws-ses';
import type { Construct } from 'constructs';
import { providerEventsAlarms } from '../alarms.ts';
import { acknowledge } from '../constructs/acknowledge.ts';
import { alarmed } from '../constructs/alarmed.ts';
import { loggedErrors } from '../constructs/logged.ts';
import { ServiceFunction } from '../constructs/service-function.ts';
import { HOME_REGION, reserved, type Stage, sesNamesOf } from '../stages.ts';
import { type ApiStack, FAILED, integrationOf, REFUSED } from './api.ts';
import type { BackgroundStack } from './background.ts';
import type { DataStack } from './data.ts';

/** The provider calls this route. It is not part of the contract. */
export const PROVIDER_EVENTS = 'POST /t/e/{organization}/{list}';

type Props = { stage: Stage; data: DataStack; api: ApiStack; background: BackgroundStack };

/** Takes the provider's events about emails. Anybody may call it; events without a valid signature are refused. */
export class ProviderEventsStack extends Stack {
  constructor(scope: Construct, id: string, { stage, data, api, background }: Props) {
    super(scope, id, { env: { region: HOME_REGION } });
    const { table, sendingKeys } = data;
    const receiving = (id: string, entry: string) =>
      new ServiceFunction(this, id, {
        stage,
        entry,
        // A person may be on many lists.
        timeout: Duration.seconds(25),
        // Limited concurrency, like that of tracking: throttled events are retried.
        reservedConcurrentExecutions: reserved(stage, stage.mostVisits),
      }).accesses(table);
    const fn = receiving('ProviderEvents', 'functions/sending/provider-events.ts').decryptsWith(sendingKeys);
    const ofSes = receiving('SesEvents', 'functions/sending/ses-events.ts');
    ofSes.configureAsyncInvoke({ onFailure: new SqsDestination(background.lostChanges) });
    this.publishTo(ofSes, stage);
    if (stage.providerSigningKey) fn.readsSecret(this.signingKey(stage), 'PROVIDER_SIGNING_KEY_SECRET');
    api.addRoute(this, PROVIDER_EVENTS, integrationOf(fn));
    const errors = loggedErrors(this, stage, 'ProviderEventErrors', [fn, ofSes]);
    api.calls(stage, 'ProviderEventErrors', [PROVIDER_EVENTS], FAILED);
    const refused = api.calls(stage, 'ProviderEventsRefused', [PROVIDER_EVENTS], REFUSED);
    alarmed(this, stage, providerEventsAlarms({ errors, refused }));
  }

  /** SES has no public address to call: it puts its events on the default bus. Those of a stage name its configuration set. */
  private publishTo(fn: ServiceFunction, stage: Stage): void {
    const { configurationSet: configurationSetName } = sesNamesOf(stage);
    new ConfigurationSet(this, 'Emails', { configurationSetName }).addEventDestination('Events', {
      destination: EventDestination.eventBus(EventBus.fromEventBusName(this, 'Default', 'default')),
      // Each costs an invocation. A delivery is no news, as SES has said that it took the email.
      events: [
        EmailSendingEvent.BOUNCE,
        EmailSendingEvent.COMPLAINT,
        EmailSendingEvent.REJECT,
        EmailSendingEvent.RENDERING_FAILURE,
      ],
    });
    new Rule(this, 'SesSays', {
      description: 'Passes on what SES says of the emails of lists',
      eventPattern: {
        source: ['aws.ses'],
        detail: { mail: { tags: { 'ses:configuration-set': [configurationSetName] } } },
      },
      targets: [new LambdaFunction(fn)],
    });
  }

  private signingKey({ guarded }: Stage): Secret {
    const key = new Secret(this, 'ProviderSigningKey', {
      description: 'Signs the events of Mailgun for lists without a key of their own: see docs/operations.md',
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      removalPolicy: guarded ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
    });
    acknowledge(key, {
      'AwsSolutions-SMG4': 'Nobody knows it, until an operator replaces it by the key of a Mailgun account.',
    });
    return key;
  }
}
