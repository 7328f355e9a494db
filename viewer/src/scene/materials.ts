// Materials of ground, soil and bodies: standard shading with patterns that make motion readable.

import {
  Color, DataTexture, LinearFilter, MeshStandardMaterial, RGBAFormat, SRGBColorSpace, Vector2, Vector3,
  type MeshStandardMaterialParameters,
} from "three";
import { mapColor } from "../colors";

export interface GroundUniforms {
  gridStep: { value: number };
  fadeColor: { value: Color };
  fadeCenter: { value: Vector3 };
  fadeRange: { value: Vector2 };   // distances where the fading begins and ends
  rutScale: { value: Vector2 };    // greatest depth and heap
  rutShown: { value: number };     // 1: colour is the rut depth
  rutMap: { value: DataTexture };
}

const kGroundVertex = `
  #include <begin_vertex>
  vGroundPosition = (modelMatrix * vec4(position, 1.0)).xyz;
  #ifdef IS_SOIL
    vRut = initialHeight - position.z;
  #endif
`;

// Grid lines one pixel wide and a soft checker, both gone where they would flicker.
const kGroundColor = `
  #include <color_fragment>
  #ifdef IS_SOIL
    float rutPlace = vRut >= 0.0 ? 0.25 + 0.75 * min(1.0, vRut / max(rutScale.x, 1e-9))
                                 : 0.25 * max(0.0, 1.0 + vRut / max(rutScale.y, 1e-9));
    diffuseColor.rgb = mix(diffuseColor.rgb, texture2D(rutMap, vec2(rutPlace, 0.5)).rgb, rutShown);
  #endif
  vec2 cell = vGroundPosition.xy / gridStep;
  vec2 cellWidth = max(fwidth(cell), vec2(1e-5));
  vec2 toLine = abs(fract(cell - 0.5) - 0.5) / cellWidth;
  float line = 1.0 - min(1.0, min(toLine.x, toLine.y));
  vec2 square = step(0.5, fract(0.5 * cell));
  float checker = abs(square.x - square.y);
  float sharp = 1.0 - smoothstep(0.1, 0.5, max(cellWidth.x, cellWidth.y));
  diffuseColor.rgb *= 1.0 - sharp * (0.14 * line + 0.05 * checker);
`;

const kGroundFade = `
  #include <opaque_fragment>
  gl_FragColor.rgb = mix(gl_FragColor.rgb, fadeColor, smoothstep(
    fadeRange.x, fadeRange.y, distance(vGroundPosition, fadeCenter)));
`;

const kGroundDeclarations = `
  uniform float gridStep; uniform vec3 fadeColor; uniform vec3 fadeCenter; uniform vec2 fadeRange;
  uniform vec2 rutScale; uniform float rutShown; uniform sampler2D rutMap;
  varying vec3 vGroundPosition;
  #ifdef IS_SOIL
    varying float vRut;
  #endif
`;

export function makeGroundUniforms(): GroundUniforms {
  return {
    gridStep: { value: 1 },
    fadeColor: { value: new Color() },
    fadeCenter: { value: new Vector3() },
    fadeRange: { value: new Vector2(1e9, 2e9) },
    rutScale: { value: new Vector2(1, 1) },
    rutShown: { value: 1 },
    rutMap: { value: makeRutTexture() },
  };
}

/** A quarter of the texture for heaps, the rest for ruts. */
function makeRutTexture(): DataTexture {
  const width = 256;
  const texels = new Uint8Array(4 * width);
  for (let i = 0; i < width; ++i) {
    const place = (i + 0.5) / width;
    const color = place < 0.25 ? mapColor("heap", 4 * place) : mapColor("rut", (place - 0.25) / 0.75);
    texels.set([...color, 255], 4 * i);
  }
  const texture = new DataTexture(texels, width, 1, RGBAFormat);
  texture.colorSpace = SRGBColorSpace;
  texture.magFilter = texture.minFilter = LinearFilter;
  texture.needsUpdate = true;
  return texture;
}

export function groundMaterial(
  uniforms: GroundUniforms, soil: boolean, settings: MeshStandardMaterialParameters,
): MeshStandardMaterial {
  const material = new MeshStandardMaterial({ roughness: 0.95, metalness: 0, ...settings });
  if (soil) material.defines = { ...material.defines, IS_SOIL: "" };
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, uniforms);
    shader.vertexShader = `varying vec3 vGroundPosition;
      #ifdef IS_SOIL
        attribute float initialHeight; varying float vRut;
      #endif
      ` + shader.vertexShader.replace("#include <begin_vertex>", kGroundVertex);
    shader.fragmentShader = kGroundDeclarations + shader.fragmentShader
      .replace("#include <color_fragment>", kGroundColor)
      .replace("#include <opaque_fragment>", kGroundFade);
  };
  material.customProgramCacheKey = () => (soil ? "soil" : "ground");
  return material;
}

/** Octants of round shapes alternate a little in lightness, so that one sees them roll. */
export function bodyMaterial(
  color: string, round: boolean, settings: MeshStandardMaterialParameters,
): MeshStandardMaterial {
  const material = new MeshStandardMaterial({ color, roughness: 0.65, metalness: 0.05, ...settings });
  if (!round) return material;
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = "attribute vec3 fromCenter; varying vec3 vFromCenter;\n" +
      shader.vertexShader.replace("#include <begin_vertex>",
        "#include <begin_vertex>\n vFromCenter = fromCenter;");
    shader.fragmentShader = "varying vec3 vFromCenter;\n" + shader.fragmentShader.replace(
      "#include <color_fragment>",
      `#include <color_fragment>
       vec3 blur = max(fwidth(vFromCenter), vec3(1e-6));  // zero on faces along an axis
       vec3 side = smoothstep(-blur, blur, vFromCenter) * 2.0 - 1.0;
       diffuseColor.rgb *= 0.9 + 0.1 * side.x * side.y * side.z;`);
  };
  material.customProgramCacheKey = () => "round";
  return material;
}
