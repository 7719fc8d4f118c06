// An Aggregator of deck.gl that groups by typed keys and reads columns. Its bins, counts and members are those of CPUAggregator, in another
// order. What groups is a class beside it: groups.js, by scatterwise, or plain.js, by loops.

import { CPUAggregator } from '@deck.gl/aggregation-layers';
import { column, encode, project } from './keys.js';

/** deck.gl's names of statistics and, in its style, of four that kepler.gl has; with the names that `reduce` takes. */
export const statistics = { SUM: 'sum', MEAN: 'mean', MIN: 'min', MAX: 'max', COUNT: 'count', MEDIAN: 'median', STDEV: 'std', MODE: 'mode', COUNT_UNIQUE: 'nunique' };

/**
 * CPUAggregator with two steps of its own, grouping and statistics; what has to be computed again it knows from deck.gl. More props than there:
 * `Groups` is the class that groups, `columns` has the names of the attributes of each channel, `viewport()` projects. Results are there when
 * `update` returns. Members are made when somebody asks for them.
 */
export class ColumnAggregator extends CPUAggregator {
  get binCount() {
    return this.groups?.count ?? 0;
  }

  setProps(props) {
    const isSame = props.pointCount === undefined || props.pointCount === this.props.pointCount;
    const kept = isSame ? this.projected : undefined;
    super.setProps(props);
    this.projected = kept; // new options of bins leave the points where they are
  }

  setNeedsUpdate(channel) {
    if (channel === undefined) this.projected = undefined;
    super.setNeedsUpdate(channel);
  }

  update() {
    if (this.needsUpdate === true) this.group();
    for (let channel = 0; channel < this.channelCount; channel++) {
      if (this.needsUpdate !== true && !this.needsUpdate[channel]) continue;
      const value = this.reduce(channel);
      this.results[channel] = { value, domain: domainOf(value), type: 'float32', size: 1 };
      this.props.onUpdate?.({ channel });
    }
    this.needsUpdate = false;
  }

  group() {
    const { Groups, attributes, pointCount, binOptions, viewport } = this.props;
    this.projected ??= project(attributes.positions, pointCount, viewport());
    const { codes, size, id } = encode(this.projected, binOptions);
    this.groups?.dispose();
    this.groups = new Groups(codes, size);
    this.id = (bin) => id(this.groups.codes[bin]);
    const value = new Float32Array(2 * this.binCount);
    for (let bin = 0; bin < this.binCount; bin++) value.set(this.id(bin), 2 * bin);
    this.binIds = { value, type: 'float32', size: 2 };
  }

  reduce(channel) {
    const { attributes, columns, customOperations, operations, pointCount } = this.props;
    const values = column(attributes[columns[channel]], pointCount);
    const custom = customOperations[channel];
    if (custom) return Float32Array.from({ length: this.binCount }, (_, bin) => custom(this.groups.members(bin), (i) => values[i]));
    return this.groups.reduce(values, statistics[operations[channel]]);
  }

  getBin(index) {
    if (index < 0 || index >= this.binCount) return null;
    const { groups } = this;
    return {
      id: this.id(index),
      value: this.results.map(({ value }) => value[index]),
      count: groups.counts[index],
      get pointIndices() {
        return groups.members(index); // an Array, as deck.gl's layers want it
      },
    };
  }

  destroy() {
    this.groups?.dispose();
    this.groups = undefined;
  }
}

/** The least and the greatest number; a NaN is neither. */
function domainOf(values) {
  let [least, greatest] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < least) least = value;
    if (value > greatest) greatest = value;
  }
  return [least, greatest];
}

/**
 * deck.gl's HexagonLayer or GridLayer with this aggregator. A layer whose bins come from a function of one's own (`hexagonAggregator`,
 * `gridAggregator`) keeps deck.gl's.
 */
export function withGroups(Layer, Groups) {
  return class extends Layer {
    static layerName = `${Groups.name}${Layer.layerName}`;
    static defaultProps = { gpuAggregation: false };

    createAggregator(type) {
      const theirs = super.createAggregator(type);
      if (type !== 'cpu' || this.props.hexagonAggregator || this.props.gridAggregator) return theirs;
      const viewport = () => this.state.aggregatorViewport;
      return new ColumnAggregator({ ...theirs.props, Groups, columns: ['colorWeights', 'elevationWeights'], viewport });
    }
  };
}
