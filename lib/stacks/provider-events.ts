import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { providerEventsAlarms } from '../alarms.ts';
import { acknowledge } from '../constructs/acknowledge.ts';
import { alarmed } from '../constructs/alarmed.ts';
import { loggedErrors } from '../constructs/logged.ts';
import { ServiceFunction } from '../constructs/service-function.ts';
import { HOME_REGION, reserved, type Stage } from '../stages.ts';
import { type ApiStack, FAILED, integrationOf, REFUSED } from './api.ts';
import type { DataStack } from './data.ts';

/** The provider calls this route. It is not part of the contract. */
export const PROVIDER_EVENTS = 'POST /t/e/{organization}/{list}';

/** Takes the provider's events about emails. Anybody may call it; events without a valid signature are refused. */
export class ProviderEventsStack extends Stack {
  constructor(
    scope: Construct,
    id: string,
    { stage, data, api }: { stage: Stage; data: DataStack; api: ApiStack },
  ) {
    super(scope, id, { env: { region: HOME_REGION } });
    const { table, sendingKeys } = data;
    const fn = new ServiceFunction(this, 'ProviderEvents', {
      stage,
      entry: 'functions/sending/provider-events.ts',
      // A person may be on many lists.
      timeout: Duration.seconds(25),
      // Limited concurrency, like that of tracking: the provider retries throttled events.
      reservedConcurrentExecutions: reserved(stage, stage.mostVisits),
    })
      .accesses(table)
      .decryptsWith(sendingKeys);
    if (stage.providerSigningKey) fn.readsSecret(this.signingKey(stage), 'PROVIDER_SIGNING_KEY_SECRET');
    api.addRoute(this, PROVIDER_EVENTS, integrationOf(fn));
    const errors = loggedErrors(this, stage, 'ProviderEventErrors', [fn]);
    api.calls(stage, 'ProviderEventErrors', [PROVIDER_EVENTS], FAILED);
    const refused = api.calls(stage, 'ProviderEventsRefused', [PROVIDER_EVENTS], REFUSED);
    alarmed(this, stage, providerEventsAlarms({ errors, refused }));
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
