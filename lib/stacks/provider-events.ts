import { Duration, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { providerEventsAlarms } from '../alarms.ts';
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
    const { table, sendingKeys, providerSigningKey } = data;
    const fn = new ServiceFunction(this, 'ProviderEvents', {
      stage,
      entry: 'functions/sending/provider-events.ts',
      // A person may be on many lists.
      timeout: Duration.seconds(25),
      // Limited concurrency, like that of tracking: the provider retries throttled events.
      reservedConcurrentExecutions: reserved(stage, stage.mostVisits),
    })
      .accesses(table)
      .decryptsWith(sendingKeys)
      .readsSecret(providerSigningKey, 'PROVIDER_SIGNING_KEY_SECRET');
    api.addRoute(this, PROVIDER_EVENTS, integrationOf(fn));
    const errors = loggedErrors(this, stage, 'ProviderEventErrors', [fn]);
    api.calls(stage, 'ProviderEventErrors', [PROVIDER_EVENTS], FAILED);
    const refused = api.calls(stage, 'ProviderEventsRefused', [PROVIDER_EVENTS], REFUSED);
    alarmed(this, stage, providerEventsAlarms({ errors, refused }));
  }
}
