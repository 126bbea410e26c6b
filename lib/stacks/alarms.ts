import { CrossStackReferences, ReferenceStrength, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { edgeAlarms } from '../alarms.ts';
import { alarmed, alarmTopic } from '../constructs/alarmed.ts';
import { HOME_REGION, type Stage } from '../stages.ts';
import { EDGE_REGION, type EdgeStack } from './edge.ts';
import type { FrontStack } from './front.ts';

/** The topic for the alarms of all other stacks. Each alarm is in the stack of what it watches. */
export class AlarmsStack extends Stack {
  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id, { env: { region: HOME_REGION } });
    alarmTopic(this, stage);
  }
}

type Props = { stage: Stage; edge: EdgeStack; front: FrontStack };

/**
 * The alarms of CloudFront and its certificate, whose metrics exist only in this region: an alarm must be in the region of its
 * metric.
 */
export class EdgeAlarmsStack extends Stack {
  constructor(scope: Construct, id: string, { stage, edge, front }: Props) {
    super(scope, id, { env: { region: EDGE_REGION } });
    // A strong reference across regions would need a custom resource with a function in each region.
    CrossStackReferences.of(this).consume(ReferenceStrength.WEAK);
    alarmTopic(this, stage);
    alarmed(this, stage, edgeAlarms(edge.certificate, front.distribution));
  }
}
