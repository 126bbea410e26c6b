import { CrossStackReferences, ReferenceStrength, Stack } from 'aws-cdk-lib';
import type { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import type { Construct } from 'constructs';
import { edgeAlarms } from '../alarms.ts';
import { alarmed, alarmTopic } from '../constructs/alarmed.ts';
import { HOME_REGION, type Stage } from '../stages.ts';
import { EDGE_REGION } from './edge.ts';

/** Tells of the alarms of all other stacks, which are where what they watch is. */
export class AlarmsStack extends Stack {
  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id, { env: { region: HOME_REGION } });
    alarmTopic(this, stage);
  }
}

type Props = { stage: Stage; certificate: Certificate; distribution: Distribution };

/** CloudFront and its certificate are measured in this region alone, and an alarm is where its metric is. */
export class EdgeAlarmsStack extends Stack {
  constructor(scope: Construct, id: string, { stage, certificate, distribution }: Props) {
    super(scope, id, { env: { region: EDGE_REGION } });
    // A strong reference to another region would need a custom resource, with a function, in each of the two.
    CrossStackReferences.of(this).consume(ReferenceStrength.WEAK);
    alarmTopic(this, stage);
    alarmed(this, stage, edgeAlarms(certificate, distribution));
  }
}
